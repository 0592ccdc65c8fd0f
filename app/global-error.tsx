'use client';

import './globals.css';
import type { ReactNode } from 'react';
import { errorId } from '#components/error-words.ts';
import en from '../messages/en/error.json' with { type: 'json' };
import tr from '../messages/tr/error.json' with { type: 'json' };

/**
 * The last resort, when even the layout cannot be drawn. The language is unknown here, so the page
 * shows both.
 */
export default function GlobalError({ error }: { error: unknown }): ReactNode {
  const id = errorId(error);
  return (
    <html lang="tr" data-theme="system">
      <body>
        <title>{tr.title}</title>
        <main className="mx-auto grid max-w-xl gap-6 px-4 py-16">
          <h1 className="text-title">{tr.title}</h1>
          <p>{tr.text}</p>
          <div lang="en" className="grid gap-2 border-t border-hairline pt-6">
            <p className="text-section">{en.title}</p>
            <p>{en.text}</p>
          </div>
          {id !== null && (
            <p className="text-label text-muted">
              {tr.id} · {en.id}: <span className="font-mono text-mono">{id}</span>
            </p>
          )}
          <p>
            <a href="/" className="text-accent underline underline-offset-2">
              {tr.home} · <span lang="en">{en.home}</span>
            </a>
          </p>
        </main>
      </body>
    </html>
  );
}
