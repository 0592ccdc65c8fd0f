import './globals.css';
import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { headers } from 'next/headers';
import { unstable_rethrow } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DatabaseDown } from '#components/database-down.tsx';
import { Frame } from './frame.tsx';
import type { Person } from '#lib/access/actor.ts';
import { resolveTheme } from '#lib/runtime/i18n.ts';
import { currentPerson, pageSnapshot, signedIn } from '#lib/login/session.ts';

// One file for each family, preloaded with the page; until it has loaded a fallback with the same
// metrics is shown, so that nothing jumps.
const inter = localFont({
  src: './fonts/inter.woff2',
  weight: '400 600',
  variable: '--inter',
  adjustFontFallback: 'Arial',
});
const mono = localFont({
  src: './fonts/jetbrains-mono.woff2',
  weight: '400 600',
  variable: '--mono',
  adjustFontFallback: false,
});

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell');
  return {
    title: { default: t('product'), template: `%s · ${t('product')}` },
    robots: { index: false, follow: false },
    manifest: '/manifest.webmanifest',
  };
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#141822' },
  ],
};

/**
 * The frame surrounds every page of a signed-in person; without a session there is only the
 * sign-in.
 */
export default async function RootLayout({
  children,
}: {
  children: ReactNode;
}): Promise<ReactNode> {
  const person = await whoIsHere();
  if (person === null && (await isArrival())) await signedIn();
  const knows = person !== null && person !== 'nobody knows';
  return (
    <html
      lang={await getLocale()}
      data-theme={await resolveTheme()}
      data-snapshot={knows ? await pageSnapshot() : null}
      className={`${inter.variable} ${mono.variable}`}
    >
      {knows && (
        <head>
          <link rel="expect" href="#drawn" blocking="render" />
        </head>
      )}
      <body>
        {person === 'nobody knows' ? (
          <DatabaseDown />
        ) : person ? (
          <Frame person={person}>{children}</Frame>
        ) : (
          children
        )}
      </body>
    </html>
  );
}

async function whoIsHere(): Promise<Person | null | 'nobody knows'> {
  try {
    return await currentPerson();
  } catch (error) {
    unstable_rethrow(error);
    return 'nobody knows';
  }
}

/**
 * A page that streams a skeleton first has sent its status before it checks the session, so an
 * arriving visitor without one is redirected to the sign-in from here. Not during navigation inside
 * the product: a layout is kept from page to page, and its redirect would be kept with it.
 */
async function isArrival(): Promise<boolean> {
  const given = await headers();
  const path = given.get('x-path') ?? '/login';
  const isPage = !/^\/(login(\?|$)|_next\/)/.test(path);
  return isPage && given.get('sec-fetch-dest') !== 'empty';
}
