import type { Locator } from '@playwright/test';
import { expect, type Desk } from './story.ts';

/** The button of a list that announces what others, or a record of the provider, have changed. */
export function changesIn({ page }: Pick<Desk, 'page'>): Locator {
  return page.getByRole('main').getByRole('button', { name: / · (göster|show)/ });
}

/** Shows what has been announced, until the page follows the live stream and announces nothing. */
export async function showChanges(desk: Pick<Desk, 'page' | 'say'>): Promise<void> {
  const changes = changesIn(desk);
  await expect(async () => {
    if (await changes.isVisible()) await changes.click({ timeout: 1_000 });
    await expect(desk.page.getByText(desk.say('live', 'on'), { exact: true })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
}

/** Waits until the list follows the live stream, whether or not something has changed since. */
export async function expectFollows({ page, say }: Pick<Desk, 'page' | 'say'>): Promise<void> {
  const live = page.getByText(say('live', 'on'), { exact: true });
  await expect(live.or(changesIn({ page }))).toBeVisible();
}
