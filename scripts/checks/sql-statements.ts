/** Splits a script of PostgreSQL into its statements, as far as the check of migrations needs it. */

export type Statement = {
  /** The line of its first word, counted from one. */
  line: number;
  /** One line, without comments; each string and function body is only its quotes. */
  text: string;
  /** The texts of the comments directly before it and inside it. */
  comments: string[];
  /** What stands between the dollar quotes: the body of a function or of DO. */
  body: string;
};

/** One token of each kind; what is not listed is one character of the statement. */
const TOKEN =
  /--(?<comment>[^\n]*)|\/\*(?<block>[\s\S]*?)\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<tag>\$\w*\$)(?<body>[\s\S]*?)\k<tag>|;|\s+|[\s\S]/g;

export function statementsOf(script: string): Statement[] {
  const found: Statement[] = [];
  let next = emptyStatement();
  for (const match of script.matchAll(TOKEN)) {
    const [token] = match;
    const { comment, block, body } = match.groups ?? {};
    const note = comment ?? block;
    if (note !== undefined) next.comments.push(note.trim());
    else if (token === ';') {
      if (next.text.trim() !== '') found.push({ ...next, text: next.text.trim() });
      next = emptyStatement();
    } else if (/^\s/.test(token)) {
      // A blank line ends the comment of what stands before it.
      if (next.text === '' && /\n\s*\n/.test(token)) next.comments = [];
      if (next.text !== '') next.text += ' ';
    } else {
      if (next.text === '') next.line = script.slice(0, match.index).split('\n').length;
      if (body !== undefined) next.body += body;
      next.text += body === undefined && !token.startsWith("'") ? token : "''";
    }
  }
  return next.text.trim() === '' ? found : [...found, { ...next, text: next.text.trim() }];
}

function emptyStatement(): Statement {
  return { line: 0, text: '', comments: [], body: '' };
}

/** The parts of a list that commas separate, outside of brackets. */
export function partsOf(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of list.replace(/"[^"]*"/g, (name) => name.replace(/[(),]/g, '_'))) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}
