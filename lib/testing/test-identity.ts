/**
 * The provider account that a test merchant's database is bound to: the one of the sandbox's
 * environment.
 */
export const TEST_IDENTITY = { environment: 'sandbox', sender: 'test', gateway: 'sandbox' };
