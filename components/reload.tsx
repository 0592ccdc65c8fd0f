'use client';

import { useEffect } from 'react';

const ASK_MS = 3_000;

/** Polls until the database is back, then reloads the page. */
export function Reload(): null {
  useEffect(() => {
    const timer = setInterval(() => {
      void fetch('/api/health/ready')
        .then(async (answer) => {
          const health = (await answer.json()) as { database?: boolean };
          if (health.database) location.reload();
        })
        .catch(() => undefined);
    }, ASK_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}
