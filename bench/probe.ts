/**
 * Runs inside a page before the page's own scripts, and records what is painted, what moves and
 * what an event costs. Each function is sent to the page as text, so it must not use anything
 * outside itself.
 */

export type Probe = {
  /** Largest contentful paint so far, in milliseconds since the navigation. */
  lcp: number;
  /** The sum of the layout shifts that no input explains. */
  shift: number;
  /** The longest event since `watch`, from input to next paint (Event Timing). */
  worstEvent: number;
  /**
   * Starts watching the elements that match `region`. The time that `settled` returns counts from
   * the last input.
   */
  watch(region: string): void;
  /**
   * Returns the milliseconds from the last input to the frame that showed the region's last change;
   * null while the region may still change.
   */
  settled(): number | null;
  /**
   * Resolves with the time (`Date.now()`) of the first frame in which `selector` matches an element
   * whose text contains `text`.
   */
  painted(selector: string, text: string): Promise<number>;
};

function watchPaints(): void {
  const bench = { lcp: 0, shift: 0, worstEvent: 0 } as Probe;
  window.bench = bench;
  const observe = (type: string, use: (entry: PerformanceEntry) => void, extra: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({
      type,
      buffered: true,
      ...extra,
    });
  observe('largest-contentful-paint', (entry) => (bench.lcp = entry.startTime));
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    };
    if (!hadRecentInput) bench.shift += value;
  });
  observe('event', (entry) => (bench.worstEvent = Math.max(bench.worstEvent, entry.duration)), {
    durationThreshold: 16,
  });
}

/**
 * Adds the methods of the probe, which watch the changes of a region. Must run after `watchPaints`.
 */
function watchRegion(): void {
  const STILL_MS = 400;
  const { bench } = window;
  const afterFrame = (use: () => void) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = use;
      channel.port2.postMessage(0);
    });
  let inputAt = 0;
  for (const type of ['click', 'keydown', 'input'])
    addEventListener(type, (event) => (inputAt = event.timeStamp), true);

  let region = '';
  let before = '';
  let changedAt = 0;
  let paintedAt = 0;
  let differs = false;
  const textOf = () =>
    [...document.querySelectorAll(region)].map((node) => node.textContent).join('|');
  const isInRegion = (record: MutationRecord) => {
    const target = record.target instanceof Element ? record.target : record.target.parentElement;
    const holds = (node: Node) =>
      node instanceof Element && (node.matches(region) || node.querySelector(region) !== null);
    return (
      target !== null &&
      (target.closest(region) !== null ||
        [...record.addedNodes, ...record.removedNodes].some(holds))
    );
  };
  new MutationObserver((records) => {
    if (region === '' || !records.some(isInRegion)) return;
    changedAt = performance.now();
    differs ||= document.querySelector(region) !== null && textOf() !== before;
    afterFrame(() => (paintedAt = performance.now()));
  }).observe(document, { childList: true, subtree: true, characterData: true });
  bench.watch = (selector) => {
    region = selector;
    before = textOf();
    [changedAt, paintedAt, inputAt, differs, bench.worstEvent] = [0, 0, 0, false, 0];
  };
  bench.settled = () =>
    differs && paintedAt >= changedAt && performance.now() - changedAt > STILL_MS
      ? paintedAt - inputAt
      : null;
  bench.painted = (selector, text) =>
    new Promise((resolve) => {
      const look = () => {
        if (
          [...document.querySelectorAll(selector)].some((node) => node.textContent?.includes(text))
        )
          return afterFrame(() => resolve(Date.now()));
        requestAnimationFrame(look);
      };
      look();
    });
}

/** The script of the probe. */
export const PROBE = [watchPaints, watchRegion].map((run) => `(${run.toString()})();`).join('\n');
