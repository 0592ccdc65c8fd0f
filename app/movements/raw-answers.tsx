'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { RAW_TEXT } from '#components/ui/classes.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { useWriting } from './words.ts';

const FOLD =
  'flex min-h-11 items-center justify-between gap-3 px-4 text-section font-semibold ' +
  'marker:content-none';

/**
 * The provider's responses as received, for support requests to the provider. Folded; text, never
 * markup.
 */
export function RawAnswers({ view }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.raw');
  const facts = useTranslations('payout.facts');
  const sources = useTranslations('payout.timeline.sources');
  const { time } = useWriting();
  return (
    <details className="no-print rounded-panel border border-hairline bg-surface">
      <summary className={FOLD}>
        {t('title')}
        <span className="text-label font-normal text-muted tabular-nums">
          {t('count', { count: view.raw.length })}
        </span>
      </summary>
      <ol className="grid gap-3 border-t border-hairline p-4">
        {view.raw.length === 0 && <li className="text-muted">{t('none')}</li>}
        {view.raw.map((answer) => (
          <li key={`${answer.at}-${answer.source}`} className="grid gap-1">
            <p className="flex items-center justify-between gap-3 text-label text-muted tabular-nums">
              <span>
                {time(answer.at, view.now)} ·{' '}
                {isSource(answer.source) ? sources(answer.source) : answer.source}
              </span>
              <CopyButton text={answer.text} label={t('copy')} done={facts('copied')} />
            </p>
            <pre tabIndex={0} className={`max-h-64 ${RAW_TEXT}`}>
              {readable(answer.text)}
            </pre>
          </li>
        ))}
      </ol>
    </details>
  );
}

function isSource(text: string): text is 'answer' | 'read' | 'ledger' | 'notice' {
  return text === 'answer' || text === 'read' || text === 'ledger' || text === 'notice';
}

/**
 * Adds line breaks between members. Text-based: numbers stay as written, because some exceed a
 * float's precision.
 */
function readable(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  let depth = 0;
  let quoted = false;
  let out = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '"' && text[index - 1] !== '\\') quoted = !quoted;
    if (quoted || !'{}[],'.includes(character)) out += character;
    else if (character === ',') out += `,\n${'  '.repeat(depth)}`;
    else if (character === '{' || character === '[')
      out += `${character}\n${'  '.repeat((depth += 1))}`;
    else out += `\n${'  '.repeat((depth = Math.max(0, depth - 1)))}${character}`;
  }
  return out;
}
