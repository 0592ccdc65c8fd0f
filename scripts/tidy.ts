/** `npm run tidy`: checks the house rules and prints the figures about the code. */
import { cruise, PRODUCT_FOLDERS } from './checks/static.ts';
import { figuresOf, FUNCTION_MAX, LINE_MAX } from './checks/figures.ts';
import { ringsOf } from './checks/rooms.ts';
import { checkTidy, ourFiles } from './checks/tidy.ts';
import { FIELD_TO_ROW, missingSteps, ROW_TO_WIRE } from './checks/walk.ts';
import { ROOT } from './processes.ts';
import { printError, Refused } from './refused.ts';

const SHOWN = 8;

const cruised = await cruise(ROOT, PRODUCT_FOLDERS);
if (typeof cruised === 'string') {
  printError(new Refused(cruised));
  process.exit(1);
}
const fileRings = cruised.summary.violations.filter(({ rule }) => rule.name === 'no-cycles');
const { lines, longLines, longFunctions, doorCasts, kindFiles } = figuresOf(ROOT, ourFiles(ROOT));

console.log(
  `lines a file (app, components, lib): median ${lines.median}, p90 ${lines.p90}, ` +
    `max ${lines.max} (${lines.maxFile})`,
);
list(`lines over ${LINE_MAX} characters`, longLines);
list(`functions over ${FUNCTION_MAX} lines`, longFunctions);
list(
  'rings between files',
  fileRings.map(({ from }) => from),
);
list('rings between rooms of lib/', ringsOf(cruised.modules));
list('casts in files that query the database', doorCasts);
list('files that ask for a kind outside its rooms and kinds.ts (goal 8)', kindFiles);
steps('files from the field to the row (goal 6)', FIELD_TO_ROW);
steps('files from the row to the wire (goal 5)', ROW_TO_WIRE);

const outcome = await checkTidy(ROOT);
console.log(outcome.report === '' ? 'house rules: kept' : `house rules:\n${outcome.report}`);
process.exit(outcome.failed === 0 ? 0 : 1);

function list(what: string, found: readonly string[]): void {
  console.log(`${what}: ${found.length}`);
  for (const one of found.slice(0, SHOWN)) console.log(`    ${one}`);
  if (found.length > SHOWN) console.log(`    and ${found.length - SHOWN} more`);
}

function steps(what: string, walk: readonly string[]): void {
  console.log(`${what}: ${walk.length}`);
  for (const step of missingSteps(ROOT, walk)) console.log(`    not there: ${step}`);
}
