/** The format of our ids, checked before a text from outside reaches the database. Pure. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
