import { expect, type Page } from '@playwright/test';
import { sandbox } from './sandbox.ts';
import { word, type Language } from './words.ts';

export const PASSWORD = 'demo-Parola-1';
export const PEOPLE = ['ayse', 'mehmet', 'selin', 'can', 'deniz'] as const;
export type PersonName = (typeof PEOPLE)[number];

export function emailOf(person: PersonName): string {
  return `${person}@demo.test`;
}

/**
 * Does the first step on the open sign-in form (its page, or the sheet over a form), until the code
 * is requested. Returns the code.
 */
export async function typePassword(
  page: Page,
  language: Language,
  email: string,
  password = PASSWORD,
): Promise<string> {
  const before = await sandbox.codesSent(email);
  await page.getByLabel(word(language, 'login', 'email')).fill(email);
  await page.getByLabel(word(language, 'login', 'password')).fill(password);
  await page.getByRole('button', { name: word(language, 'login', 'continue') }).click();
  await expect(codeField(page, language)).toBeVisible();
  await expect
    .poll(() => sandbox.codesSent(email), { message: 'a code on the phone' })
    .toBeGreaterThan(before);
  return (await sandbox.code(email))!;
}

export async function typeCode(page: Page, language: Language, code: string): Promise<void> {
  const field = codeField(page, language);
  await field.fill(code);
  await field
    .locator('xpath=ancestor::form')
    .getByRole('button', { name: word(language, 'login', 'confirm'), exact: true })
    .click();
}

export function codeField(page: Page, language: Language) {
  return page.getByLabel(word(language, 'login', 'code'), { exact: true });
}

/** Does both steps, from the sign-in page to its destination. */
export async function signIn(page: Page, language: Language, person: PersonName): Promise<void> {
  const code = await typePassword(page, language, emailOf(person));
  await typeCode(page, language, code);
  await expect(codeField(page, language)).toBeHidden();
  await expect(page).not.toHaveURL(/\/login/);
}
