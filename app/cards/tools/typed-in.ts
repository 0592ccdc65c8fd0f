/**
 * A form's answer together with the typed values: React resets a form when its action has ended.
 */
export type Typed<T> = { answer: T; typed: Record<string, string> };

export function typedIn(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
