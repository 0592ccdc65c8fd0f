/** What the machine was doing meanwhile: figures without it cannot be compared. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** Ticks of `/proc` a second: fixed by the kernel's interface. */
const TICKS = 100;

/**
 * Processor time so far of processes and all they started, in milliseconds; NaN where the system
 * does not tell (anything but Linux).
 */
export function cpuMs(pids: readonly (number | undefined)[]): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTimes(Number(name)));
  const wanted = new Set(pids);
  // A parent's number may be larger than its child's: repeat until no process is added.
  for (let size = -1; size !== wanted.size;) {
    size = wanted.size;
    for (const one of all) if (wanted.has(one.parent)) wanted.add(one.pid);
  }
  const ticks = all.filter((one) => wanted.has(one.pid)).reduce((sum, one) => sum + one.ticks, 0);
  return ticks === 0 ? Number.NaN : (ticks * 1_000) / TICKS;
}

/** Of one process; its children that have ended are counted with it. Empty when it has ended. */
function readTimes(pid: number): { pid: number; parent: number; ticks: number }[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return [
      { pid, parent: fields[1]!, ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! },
    ];
  } catch {
    return [];
  }
}

export function describeMachine(): string {
  return (
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ` +
    `${process.version}, load ${loadavg()[0]!.toFixed(1)}`
  );
}
