import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getMessages, getTimeZone } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { Namespace, Words } from '#lib/runtime/messages.ts';

type Props = {
  of: Namespace[];
  /** The namespaces whose texts replace those of another namespace where the keys match. */
  instead?: Partial<Record<Namespace, Namespace>>;
  children: ReactNode;
};

/**
 * Passes messages to a client component: only the namespaces named here are sent to the browser.
 */
export async function Messages({ of, instead = {}, children }: Props): Promise<ReactNode> {
  const all = await getMessages();
  const words = (name: Namespace): Words => all[name] as Words;
  const messages = Object.fromEntries(
    of.map((name) => [
      name,
      instead[name] === undefined ? words(name) : replaced(words(name), words(instead[name])),
    ]),
  );
  return (
    <NextIntlClientProvider
      locale={await getLocale()}
      timeZone={await getTimeZone()}
      messages={messages}
    >
      {children}
    </NextIntlClientProvider>
  );
}

/**
 * Returns `words` with the texts of `by` at the same keys, and with the keys that only `by` has.
 */
function replaced(words: Words, by: Words): Words {
  const merged: Words = { ...words };
  for (const [key, value] of Object.entries(by)) {
    const before = merged[key];
    merged[key] =
      typeof value === 'object' && typeof before === 'object' ? replaced(before, value) : value;
  }
  return merged;
}
