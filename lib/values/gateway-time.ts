const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/;

/**
 * A time of the card gateway in milliseconds: the gateway writes Turkish local time without a zone
 * (`published-weak`), UTC+3 all year. Pure.
 */
export function gatewayTime(text: string | null): number | null {
  const [, day, time] = LOCAL_TIME.exec(text ?? '') ?? [];
  const ms = Date.parse(`${day}T${time}+03:00`);
  return Number.isNaN(ms) ? null : ms;
}
