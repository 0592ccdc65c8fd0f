import { join, relative } from 'node:path';
import type { TestProjectInlineConfiguration, UserWorkspaceConfig } from 'vitest/config';
import type { TestModule } from 'vitest/node';
import { createVitest, type Vite } from 'vitest/node';
import base from '../vitest.config.ts';
import { ROOT } from './processes.ts';

/**
 * Runs tests for many planted bugs with one test runner: for each bug, the files that it changes
 * are loaded again with the bug in them.
 */

/** `texts`: the texts of the files with the bug in them, by path from the project's root. */
export type PlantedBug = { name: string; test: string; texts: Record<string, string> };

export type PlantedRuns = {
  /** Returns `green`, or a sentence that says what is wrong with the test file without a bug. */
  soundRun(test: string): Promise<string>;
  /** Returns `red`, or a sentence that says why the test did not find the bug. */
  plantedRun(bug: PlantedBug): Promise<string>;
  close(): Promise<void>;
};

// The cache on disk is off. Its key is the unpatched text of a file, so it would give this run the
// code without the bug, or give a later run the code with the bug.
const RUNNER = {
  root: ROOT,
  config: false as const,
  fsModuleCache: false,
  watch: false,
  bail: 1,
  reporters: [{}],
  allowOnly: false,
};

export async function openPlantedRuns(): Promise<PlantedRuns> {
  let planted: PlantedBug | null = null;
  const applied = new Set<string>();
  const plant = {
    name: 'plant-a-bug',
    enforce: 'pre' as const,
    transform(_code: string, id: string): { code: string; map: null } | undefined {
      const file = relative(ROOT, id.split('?')[0] ?? '');
      const code = planted?.texts[file];
      if (code === undefined) return undefined;
      applied.add(file);
      return { code, map: null };
    },
  };
  const vitest = await createVitest(RUNNER, { test: { projects: projectsWith(plant) } });
  await vitest.standalone();

  async function run(test: string): Promise<{ modules: readonly TestModule[]; unhandled: number }> {
    const file = join(ROOT, test);
    const specifications = (await vitest.globTestSpecifications([file])).filter(
      (one) => one.moduleId === file,
    );
    if (specifications.length === 0) throw new Error(`the test runner knows no file ${test}`);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    // The runner also returns the results of files that it ran earlier, whose failures must not
    // count here.
    return {
      modules: testModules.filter((one) => one.moduleId === file),
      unhandled: unhandledErrors.length,
    };
  }

  async function plantedRun(bug: PlantedBug): Promise<string> {
    planted = bug;
    applied.clear();
    const refresh = (): void =>
      Object.keys(bug.texts).forEach((file) => vitest.invalidateFile(join(ROOT, file)));
    refresh();
    try {
      const { modules } = await run(bug.test);
      if (Object.keys(bug.texts).some((file) => !applied.has(file)))
        return `${bug.test} never loads the patched code`;
      if (failedTests(modules) > 0) return 'red';
      return isLoaded(modules)
        ? `${bug.test} stays green`
        : `${bug.test} does not load with it: ${firstError(modules)}`;
    } finally {
      planted = null;
      refresh();
    }
  }

  async function soundRun(test: string): Promise<string> {
    const { modules, unhandled } = await run(test);
    if (failedTests(modules) > 0 || !isLoaded(modules) || unhandled > 0)
      return `${failedTests(modules)} failed, ${firstError(modules)}`;
    return 'green';
  }

  return { soundRun, plantedRun, close: () => vitest.close() };
}

/**
 * The projects of vitest.config.ts, each with `plugin`, because a plugin of the runner itself is
 * not applied to its projects.
 */
function projectsWith(plugin: Vite.Plugin): TestProjectInlineConfiguration[] {
  const { test, ...whole } = base;
  const { projects = [], ...shared } = test ?? {};
  const inline = projects.filter(
    (one): one is UserWorkspaceConfig & { test: object } =>
      typeof one === 'object' && 'test' in one,
  );
  return inline.map((one) => ({ ...whole, plugins: [plugin], test: { ...shared, ...one.test } }));
}

function failedTests(modules: readonly TestModule[]): number {
  return modules.flatMap((one) => [...one.children.allTests('failed')]).length;
}

function isLoaded(modules: readonly TestModule[]): boolean {
  return modules.every(
    (one) => one.errors().length === 0 && [...one.children.allTests()].length > 0,
  );
}

function firstError(modules: readonly TestModule[]): string {
  const failed = modules.flatMap((one) => [...one.children.allTests('failed')])[0];
  const error = modules.flatMap((one) => one.errors())[0] ?? failed?.result().errors?.[0];
  return (error?.message ?? 'no test ran').split('\n')[0]!;
}
