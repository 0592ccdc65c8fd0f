/**
 * The provider and account that a test merchant's database is about: what the sandbox's environment
 * says of itself.
 */
export const TEST_IDENTITY = { environment: 'sandbox', sender: 'test', gateway: 'sandbox' };
