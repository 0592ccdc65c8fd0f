import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getMessages, getTimeZone } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { Namespace } from '#lib/messages.ts';

/** Gives a client island its words, and only those: every namespace named here travels to the browser. */
export async function Messages({ of, children }: { of: Namespace[]; children: ReactNode }): Promise<ReactNode> {
  const all = await getMessages();
  const messages = Object.fromEntries(of.map((name) => [name, all[name] as Record<string, string>]));
  return <NextIntlClientProvider locale={await getLocale()} timeZone={await getTimeZone()} messages={messages}>{children}</NextIntlClientProvider>;
}
