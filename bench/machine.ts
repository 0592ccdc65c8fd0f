/**
 * Reads the load and the processor time of the machine, without which figures cannot be compared.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** The ticks per second in `/proc`, fixed by the kernel's interface. */
const TICKS = 100;

/**
 * Returns the processor time so far of processes and of all that they started, in milliseconds; NaN
 * where the system does not report it (any but Linux).
 */
export function cpuMs(pids: readonly (number | undefined)[]): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTimes(Number(name)));
  const wanted = new Set(pids);
  // A parent's process id may be larger than its child's, so the search repeats until it adds no
  // process.
  for (let size = -1; size !== wanted.size;) {
    size = wanted.size;
    for (const one of all) if (wanted.has(one.parent)) wanted.add(one.pid);
  }
  const ticks = all.filter((one) => wanted.has(one.pid)).reduce((sum, one) => sum + one.ticks, 0);
  return ticks === 0 ? Number.NaN : (ticks * 1_000) / TICKS;
}

/**
 * Returns the parent and the processor time of one process, with the time of its ended children;
 * empty when it has ended.
 */
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
