export const PATH = '/reports/transactions';
