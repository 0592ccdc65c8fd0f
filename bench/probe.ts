/**
 * Runs inside a page, before its own scripts: what is painted, what moves, what an event costs. No
 * function here may use anything around it: each is sent as text.
 */

export type Probe = {
  /** Largest contentful paint so far, in milliseconds since the navigation. */
  lcp: number;
  /** Sum of layout shifts that no input explains. */
  shift: number;
  /** The longest event since `watch`, from input to next paint (Event Timing). */
  worstEvent: number;
  /**
   * Starts watching what matches `region`; the time that `settled` returns counts from the last
   * input.
   */
  watch(region: string): void;
  /**
   * Milliseconds from the last input to the frame that showed the region's last change; null while
   * it may still change.
   */
  settled(): number | null;
  /**
   * Resolves with the time (`Date.now()`) of the first frame in which `selector` matches something
   * whose text satisfies `text`.
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

/** The methods of the probe, from the changes of a region; `watchPaints` has run. */
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
