/**
 * The variables of this test worker's product. Where there are several test workers, `PRODUCTS` has
 * the variables of each worker's product, as a JSON array.
 */
const product: Record<string, string | undefined> =
  process.env['PRODUCTS'] === undefined
    ? process.env
    : JSON.parse(process.env['PRODUCTS'])[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)];

/** The running product, as given by its starter (see README.md). */
export const BASE_URL = given('BASE_URL');
export const BASE_URL_2 = given('BASE_URL_2');
export const SANDBOX_URL = given('SANDBOX_URL');
export const DATABASE_URL = given('TEST_DATABASE_URL');
export const DATA_DIR = given('DATA_DIR');
export const CONTROL_URL = given('CONTROL_URL');
export const QUIET_SECONDS = Number(given('RESEND_QUIET_SECONDS'));
export const MANUAL_SECONDS = Number(given('MANUAL_REVIEW_SECONDS'));

/** Where the product exports its traces to; nobody listens there unless a story does. */
export const otlpUrl = (): URL => new URL(given('OTEL_EXPORTER_OTLP_ENDPOINT'));
/** The metrics of the first web; those of the first worker are at the next port. */
export const metricsPort = (): number => Number(given('METRICS_PORT'));

function given(name: string): string {
  const value = product[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: run the stories by \`npm test -- --only browser\`.`);
  return value;
}
