import 'server-only';
import { getTranslations } from 'next-intl/server';
import { env } from '#lib/runtime/env.ts';
import type { Demo } from './login-form.tsx';

/** As sandbox/README.md lists them. */
const PEOPLE = [
  { email: 'ayse@demo.test', name: 'Ayşe', role: 'clerk' },
  { email: 'mehmet@demo.test', name: 'Mehmet', role: 'approver' },
  { email: 'selin@demo.test', name: 'Selin', role: 'owner' },
  { email: 'can@demo.test', name: 'Can', role: 'support' },
  { email: 'deniz@demo.test', name: 'Deniz', role: 'auditor' },
] as const;

/** Null outside of the sandbox. */
export async function demoPeople(): Promise<Demo | null> {
  const { sandboxOn, sandboxUrl } = env();
  if (!sandboxOn) return null;
  const t = await getTranslations('login.demo');
  const roles = await getTranslations('shell.roles');
  return {
    people: PEOPLE.map((one) => ({ ...one, role: roles(one.role) })),
    phone: sandboxUrl,
    words: { title: t('title'), text: t('text'), phone: t('phone') },
  };
}
