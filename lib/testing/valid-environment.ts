/** The variables without which a process of the product ends; its database is away. */
export const VALID_ENVIRONMENT = {
  SANDBOX: 'on',
  DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/x',
  AUTH_SECRET: 'a'.repeat(32),
  DATA_KEY: 'b'.repeat(32),
  WEBHOOK_KEY: 'c'.repeat(32),
  CARD_APP_ID: 'app',
  CARD_APP_SECRET: 'secret',
  CARD_MERCHANT_KEY: 'merchant',
  WALLET_CLIENT_ID: 'client',
  WALLET_CLIENT_SECRET: 'secret',
};
