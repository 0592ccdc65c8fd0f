/**
 * Webhooks give way to pages in the process that serves both: a person waits for a page, and a
 * provider that waits some milliseconds longer loses nothing. Pure.
 */

/** How long webhooks rest between two batches while a page is being made. */
const REST_MS = 25;

let isPageWaiting = (): boolean => false;

/** Names the function that says whether a page is being made in this process. */
export function giveWayTo(pageWaits: () => boolean): void {
  isPageWaiting = pageWaits;
}

export async function giveWay(): Promise<void> {
  if (isPageWaiting()) await new Promise((resolve) => setTimeout(resolve, REST_MS));
}
