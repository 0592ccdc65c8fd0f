'use client';

import { useEffect, useRef, useState } from 'react';
import { mayBecomeCard } from '#lib/values/card-number.ts';
import { isCard as isCardText } from '#lib/readings/understand.ts';
import type { SearchView } from './search-view.ts';
import type { SearchWords } from './search-words.ts';

/** Keystrokes closer together than this share one query. */
const DEBOUNCE_MS = 70;

type Provider = Pick<SearchView, 'message' | 'groups'>;
export type Search = {
  view: SearchView | null;
  words: SearchWords | null;
  provider: Provider | null;
  busy: boolean;
  /** Whether the view is of the text as it is now; it lags behind a person who types fast. */
  isCurrent: boolean;
  /** A sentence instead of results. */
  trouble: string;
  askProvider(): void;
};

/**
 * Queries while a person types: only the newest text, and the previous results stay until the
 * response arrives. A card number is never sent, neither complete nor while the text may become
 * one. `unreachable`: what is said without a response; the dialog's own texts come with the first.
 */
export function useSearch(text: string, unreachable: string): Search {
  const [view, setView] = useState<SearchView | null>(null);
  const [viewed, setViewed] = useState<string | null>(null);
  const [words, setWords] = useState<SearchWords | null>(null);
  const [provider, setProvider] = useState<Provider | null>(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const asked = useRef<AbortController>(undefined);
  const isCard = isCardText(text);
  const waits = isCard || mayBecomeCard(text);

  const ask = (at: 'open' | 'here' | 'provider'): void => {
    asked.current?.abort();
    const question = new AbortController();
    asked.current = question;
    setBusy(true);
    post(at, text, question.signal).then(
      (response) => {
        if (question.signal.aborted) return;
        setBusy(false);
        if ('error' in response) return setTrouble(troubleOf(response, words) ?? unreachable);
        setTrouble('');
        if (at === 'provider') return setProvider(response as Provider);
        setView(response as SearchView);
        setViewed(text);
        setProvider(null);
        if ('words' in response) setWords(response.words as SearchWords);
      },
      () => {
        if (question.signal.aborted) return;
        setBusy(false);
        setTrouble(unreachable);
      },
    );
  };

  const latest = useRef(ask);
  latest.current = ask;
  const hasWords = words !== null;
  useEffect(() => {
    if (waits) {
      asked.current?.abort();
      setBusy(false);
      return;
    }
    const timer = setTimeout(
      () => latest.current(hasWords ? 'here' : 'open'),
      hasWords ? DEBOUNCE_MS : 0,
    );
    return () => clearTimeout(timer);
    // The texts come with the first response: their arrival starts no new query.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, waits]);
  return {
    view: waits ? null : view,
    words,
    provider: waits ? null : provider,
    busy,
    isCurrent: !busy && viewed === text,
    trouble: isCard ? (words?.card ?? '') : trouble,
    askProvider: () => ask('provider'),
  };
}

/** An answer without results. `seconds`: how long a person waits who has asked too often. */
type Failed = { error: string; seconds: number | null };

/** Null where only "unreachable" can be said; the words come with the first response. */
function troubleOf({ seconds }: Failed, words: SearchWords | null): string | null {
  if (seconds === null || words === null) return null;
  return words.tooMany.replace('{seconds}', String(seconds));
}

async function post(
  at: string,
  text: string,
  signal: AbortSignal,
): Promise<SearchView | Provider | Failed> {
  const response = await fetch('/api/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: text.slice(0, 1_000), at }),
    signal,
    cache: 'no-store',
  });
  if (response.status === 401) location.reload();
  if (response.ok) return (await response.json()) as SearchView;
  const error = String(response.status);
  if (response.status !== 429) return { error, seconds: null };
  return { error, seconds: ((await response.json()) as { seconds: number }).seconds };
}
