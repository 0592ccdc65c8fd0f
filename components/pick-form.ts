/** Id of the form that the checkboxes in the rows belong to. */
export const PICK_FORM = 'pick';
