/**
 * `node scripts/audit.ts`, run weekly and before a release: queries the registry for known
 * vulnerabilities of the run-time packages. Ends with 0 when there are none, 1 when there are some,
 * 2 when the registry did not answer, because no response is not a pass.
 */
import { spawnSync } from 'node:child_process';
import { ROOT } from './processes.ts';

const ASK_MS = 60_000;

type Report = {
  vulnerabilities?: Record<string, { severity: string; range: string }>;
  metadata?: { vulnerabilities: { total: number } };
};

export type Verdict = { code: 0 | 1 | 2; lines: string[] };

export function judge(output: string): Verdict {
  let report: Report;
  try {
    report = JSON.parse(output) as Report;
  } catch {
    report = {};
  }
  if (report.metadata === undefined)
    return {
      code: 2,
      lines: ['Could not ask: the registry did not answer. Nothing is known about faults.'],
    };
  const found = Object.entries(report.vulnerabilities ?? {}).map(
    ([name, { severity, range }]) => `${severity}: ${name} ${range}`,
  );
  if (report.metadata.vulnerabilities.total === 0 && found.length === 0)
    return { code: 0, lines: ['No known fault in a run-time package.'] };
  return {
    code: 1,
    lines: [...found.toSorted(), 'Critical: repair within 48 hours. High: within 7 days.'],
  };
}

if (import.meta.main) {
  const asked = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: ASK_MS,
    shell: process.platform === 'win32',
  });
  const { code, lines } = judge(asked.stdout ?? '');
  console.log(lines.join('\n'));
  process.exit(code);
}
