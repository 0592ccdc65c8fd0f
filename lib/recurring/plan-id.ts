const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether it can be the id of a plan or of a charge here. Pure. */
export function isPlanId(text: string): boolean {
  return ID.test(text);
}
