/** The form that the boxes in the rows belong to. */
export const PICK_FORM = 'pick';
