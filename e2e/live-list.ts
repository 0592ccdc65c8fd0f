import type { Locator } from '@playwright/test';
import { expect, type Desk } from './story.ts';

/** The button of a list that announces what others, or a record of the provider, have changed. */
export function changesIn({ page }: Pick<Desk, 'page'>): Locator {
  return page.getByRole('main').getByRole('button', { name: / · (göster|show)/ });
}

/** Waits until the list follows the live stream, whether or not something has changed since. */
export async function expectFollows({ page, say }: Pick<Desk, 'page' | 'say'>): Promise<void> {
  const live = page.getByText(say('live', 'on'), { exact: true });
  await expect(live.or(changesIn({ page }))).toBeVisible();
}
