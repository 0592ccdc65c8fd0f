import {
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test';
import { midnightIsFar } from '#lib/testing/midnight.ts';
import { sandbox } from './sandbox.ts';
import { signIn, type PersonName } from './sign-in.ts';
import { BASE_URL } from './surroundings.ts';
import { like, word, type Language } from './words.ts';

export { expect } from '@playwright/test';

export type DeskOptions = {
  language?: Language;
  /** Opens a page of 390 px width, with touch. */
  narrow?: boolean;
  dark?: boolean;
  /** The address of one of the two webs. */
  origin?: string;
};
/** English, on a page of 390 px width with touch. */
export const PHONE: DeskOptions = { language: 'en', narrow: true };
/** A separate browser context in which a person works. */
export type Desk = {
  page: Page;
  context: BrowserContext;
  language: Language;
  origin: string;
  /** The text of a page in this desk's language. */
  say: (file: string, path: string, values?: Record<string, string | number>) => string;
  /** A text of a page in this desk's language, as a pattern whose placeholders match anything. */
  like: (file: string, path: string) => RegExp;
};

/** Waits until the page's scripts follow this field: what is typed before is not known to them. */
export async function expectFollowed(field: Locator): Promise<void> {
  const isFollowed = () =>
    field.evaluate((one) => Object.keys(one).some((key) => key.startsWith('__reactProps')));
  await base.expect.poll(isFollowed).toBe(true);
}

/**
 * Presses a button until what it opens is visible: a press before the page listens is lost. It is
 * not pressed again once that is open, which may cover it.
 */
export async function pressUntil(button: Locator, opened: Locator): Promise<void> {
  await base
    .expect(async () => {
      if (!(await opened.isVisible())) await button.click({ timeout: 2_000 });
      await base.expect(opened).toBeVisible({ timeout: 1_000 });
    })
    .toPass();
}

type Fixtures = {
  /** A desk without a session. */
  openDesk: (options?: DeskOptions) => Promise<Desk>;
  /** A desk with a session. Sessions are reused from test to test as long as they are valid. */
  sitDown: (person: PersonName, options?: DeskOptions) => Promise<Desk>;
  /**
   * Problems in any page: script errors, violations of the content security policy, texts that a
   * component was not given. Must be empty at the end of every test.
   */
  pageProblems: string[];
  calm: void;
  oneDay: void;
};

type State = Awaited<ReturnType<BrowserContext['storageState']>>;
const sessions = new Map<PersonName, State>();

export const test = base.extend<Fixtures>({
  baseURL: BASE_URL,
  oneDay: [
    async ({ browserName: _any }, use) => {
      await midnightIsFar(await sandbox.aheadMs());
      await use();
    },
    // The wait is no part of the story's time.
    { auto: true, timeout: 30 * 60_000 },
  ],
  calm: [
    async ({ browserName: _any }, use) => {
      await sandbox.calm();
      await use();
      await sandbox.calm();
      base
        .expect(
          await sandbox.paidTwice(),
          'references that were paid more than once, in this story or an earlier one',
        )
        .toEqual([]);
    },
    { auto: true },
  ],
  pageProblems: [
    async ({ browserName: _any }, use) => {
      const problems: string[] = [];
      await use(problems);
      base
        .expect(
          problems,
          'errors of scripts, violations of the content security policy, missing texts',
        )
        .toEqual([]);
    },
    { auto: true },
  ],
  openDesk: async ({ browser, pageProblems }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options = {}) => {
      const desk = await open(browser, options);
      opened.push(desk.context);
      notice(desk.context, pageProblems);
      return desk;
    });
    for (const context of opened) await context.close();
  },
  sitDown: async ({ browser, openDesk, pageProblems }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (person, options = {}) => {
      const state = await validSession(person, openDesk);
      const desk = await open(browser, options, state);
      opened.push(desk.context);
      notice(desk.context, pageProblems);
      return desk;
    });
    for (const context of opened) await context.close();
  },
});

async function open(
  browser: Browser,
  { language = 'tr', narrow = false, dark = false, origin = BASE_URL }: DeskOptions,
  storageState?: State,
): Promise<Desk> {
  const settings: BrowserContextOptions = {
    baseURL: origin,
    locale: language === 'tr' ? 'tr-TR' : 'en-GB',
    timezoneId: 'Europe/Istanbul',
    colorScheme: dark ? 'dark' : 'light',
    viewport: narrow ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    ...(narrow ? { hasTouch: true, isMobile: true } : {}),
    ...(storageState === undefined ? {} : { storageState }),
  };
  const context = await browser.newContext(settings);
  context.on('page', openWhole);
  const page = await context.newPage();
  return {
    page,
    context,
    language,
    origin,
    say: (file, path, values) => word(language, file, path, values),
    like: (file, path) => like(language, file, path),
  };
}

/**
 * Makes the page's `goto` and `reload` wait until the page's scripts listen, as a person does: a
 * press before is lost. A story that asks for an earlier moment by `waitUntil` gets it.
 */
function openWhole(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (options?.waitUntil === undefined) await expectListens(page);
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    if (options?.waitUntil === undefined) await expectListens(page);
    return answer;
  };
}

async function expectListens(page: Page): Promise<void> {
  // The page may be on its way to another one.
  const listens = () => page.evaluate(isListening).catch(() => false);
  await base.expect
    .poll(listens, { message: `${page.url()} listens`, intervals: [10, 20, 50, 100] })
    .toBe(true);
}

/** Runs in the page. React marks the document when it begins to listen; other documents need not. */
function isListening(): boolean {
  const isOurs = document.querySelector('script[src*="/_next/static/"]') !== null;
  return !isOurs || Object.keys(document).some((key) => key.startsWith('__reactContainer'));
}

/**
 * A session of the person that is still valid, or a new one. The two webs are ports of one host and
 * share the cookie: a session that was opened at one is valid at the other.
 */
async function validSession(person: PersonName, openDesk: Fixtures['openDesk']): Promise<State> {
  const known = sessions.get(person);
  if (known !== undefined && (await isValid(known))) return known;
  const desk = await openDesk();
  await desk.page.goto('/login');
  await signIn(desk.page, desk.language, person);
  const state = await desk.context.storageState();
  sessions.set(person, state);
  await desk.page.close();
  return state;
}

async function isValid(state: State): Promise<boolean> {
  const cookie = state.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${BASE_URL}/login`, { headers: { cookie }, redirect: 'manual' });
  return answer.status >= 300 && answer.status < 400;
}

/**
 * Console messages that are problems. The last two are next-intl's names for a missing text and for
 * a key that is not a text.
 */
const PROBLEM =
  /Content Security Policy|Minified React error|Hydration|MISSING_MESSAGE|INSUFFICIENT_PATH/i;

function notice(context: BrowserContext, problems: string[]): void {
  context.on('weberror', (error) =>
    problems.push(`${error.page()?.url()}: ${error.error().message}`),
  );
  context.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && PROBLEM.test(text))
      problems.push(`${message.page()?.url()}: ${text}`);
  });
}
