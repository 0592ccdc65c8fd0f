/** An id of ours, as text from outside has to look before the database is asked about it. Pure. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
