'use client';

import type { ReactNode } from 'react';
import { LoginForm } from './login-form.tsx';
import type { LoginWords } from './login-form.tsx';
import { Dialog } from '#components/ui/dialog.tsx';

/**
 * Signing in again over a half-filled form: the form behind it keeps its contents, and signing in
 * submits nothing.
 */
export function SignInSheet({
  open,
  onDone,
  onClose,
  words,
}: {
  open: boolean;
  onDone: () => void;
  onClose: () => void;
  words: LoginWords;
}): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={words.sheetTitle} closeLabel={words.close}>
      <p className="text-muted">{words.sheetText}</p>
      <LoginForm words={words} onDone={onDone} />
    </Dialog>
  );
}
