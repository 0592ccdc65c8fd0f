'use client';

import { useEffect, useRef, useState } from 'react';
import { keyText } from '#lib/values/person-key.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import type { PersonKey } from '#lib/values/person-key.ts';
import { lookUpPerson } from './actions.ts';

const TYPING_PAUSE_MS = 500;

export type PersonLookUp = {
  person: PersonFound | null;
  asking: boolean;
  askAgain: () => Promise<void>;
};

/**
 * The person whom the provider has under a number: queried when the number is complete, and again
 * when it or the currency changes. A response to an older query is dropped.
 */
export function usePerson(
  key: PersonKey | null,
  currency: string | null,
  onSignedOut: () => void,
): PersonLookUp {
  const [person, setPerson] = useState<PersonFound | null>(null);
  const [asking, setAsking] = useState(false);
  const latest = useRef(0);
  const question = key === null || currency === null ? null : `${keyText(key)} ${currency}`;
  const ask = async (): Promise<void> => {
    if (key === null || currency === null) return;
    const turn = ++latest.current;
    setAsking(true);
    const response = await lookUpPerson({ key, currency }).catch(() => null);
    if (turn !== latest.current) return;
    if (response?.kind === 'signed_out') onSignedOut();
    setPerson(response?.kind === 'asked' ? response.person : { kind: 'unchecked' });
    setAsking(false);
  };
  useEffect(() => {
    latest.current += 1;
    setPerson(null);
    setAsking(question !== null);
    if (question === null) return;
    const timer = setTimeout(() => void ask(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `ask` depends on the question alone
  }, [question]);
  return { person, asking, askAgain: ask };
}
