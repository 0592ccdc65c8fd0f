/** State of the sign-in form. The password and the code are never part of it. */
export type SignInState =
  | { step: 'password'; error?: SignInError }
  /** `now` is the server's time: the browser counts from it, because its own clock may be wrong. */
  | { step: 'code'; now: string; expiresAt: string; resendAt: string; error?: SignInError }
  | { step: 'done' };

export type SignInField = 'email' | 'password' | 'code';

export type SignInError = {
  code:
    | 'wrong_credentials'
    | 'wrong_code'
    | 'code_expired'
    | 'too_many'
    | 'resend_later'
    | 'resend_no_more'
    | 'unavailable'
    | 'other_merchant'
    | 'disabled'
    | 'bad_input'
    | 'origin';
  seconds?: number;
  attemptsLeft?: number;
  /** With bad input: the empty fields. */
  missing?: SignInField[];
};
