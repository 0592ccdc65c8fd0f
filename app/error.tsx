'use client';

import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { errorId, errorWords } from '#components/error-words.ts';
import { Button, FileButton } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/panel.tsx';

const ASK_MS = 3_000;

/**
 * States first what is known of the money, then what can be done. While the database is down the
 * page waits for it and reloads itself.
 */
export default function ErrorPage({
  error,
  retry,
}: {
  error: unknown;
  retry: () => void;
}): ReactNode {
  const words = errorWords();
  const id = errorId(error);
  const databaseDown = useDatabaseDown(retry);
  return (
    <EmptyState
      title={<h1>{words.title}</h1>}
      actions={
        <>
          <Button look="primary" onClick={() => retry()}>
            {words.retry}
          </Button>
          <FileButton href="/">{words.home}</FileButton>
        </>
      }
    >
      <p>{databaseDown ? words.database : words.text}</p>
      {id !== null && (
        <p className="mt-1 text-label">
          {words.id}: <span className="font-mono text-mono">{id}</span>
        </p>
      )}
    </EmptyState>
  );
}

function useDatabaseDown(back: () => void): boolean {
  const [down, setDown] = useState(false);
  useEffect(() => {
    let wasDown = false;
    const ask = async (): Promise<void> => {
      const health = await fetch('/api/health/ready')
        .then((answer) => answer.json() as Promise<{ database: boolean }>)
        .catch(() => null);
      if (health?.database && wasDown) back();
      wasDown = health?.database === false;
      setDown(wasDown);
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_MS);
    return () => clearInterval(timer);
  }, [back]);
  return down;
}
