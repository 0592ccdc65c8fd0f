import type { Call } from '../routes.ts';
import { json, langOf } from '../wallet-api/answer.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { unauthorized } from './answer.ts';
import { bankPage } from './bank-page.ts';
import { cashoutToBank } from './cashout.ts';
import { checkStatus } from './checkstatus.ts';
import { completePayment } from './complete.ts';
import { confirmPayment } from './confirm.ts';
import { buyerPage } from './buyer-page.ts';
import { purchaseLink, purchaseStatus } from './purchase.ts';
import { commissions, getPos, installments } from './pos-desk.ts';
import { processPlan, queryPlan, updatePlan } from './recurring.ts';
import { refund } from './refund.ts';
import { payByCardTokenNonSecure, paySmart2D } from './sale.ts';
import { deleteCard, editCard, getCardTokens, saveCard } from './saved-cards.ts';
import { payByCardToken, paySmart3D } from './secure.ts';
import { isCardAuthorized, issueCardToken } from './token.ts';

/** Routes the calls of the card gateway, which is under /card ({base_url} of the contract). */

type Handler = (world: World, call: Call) => Answer;
type Route = { methods: readonly string[]; handler: Handler; open?: true };

const post = (handler: Handler): Route => ({ methods: ['POST'], handler });
/** A route without a bearer token: the token request, forms that browsers post, and pages. */
const open = (handler: Handler, ...methods: string[]): Route => ({
  methods: methods.length > 0 ? methods : ['POST'],
  handler,
  open: true,
});

const ROUTES: Record<string, Route> = {
  '/ccpayment/api/token': open(issueCardToken),
  '/ccpayment/api/getpos': post(getPos),
  '/ccpayment/api/installments': post(installments),
  '/ccpayment/api/commissions': { methods: ['POST', 'GET'], handler: commissions },
  '/ccpayment/api/paySmart2D': post(paySmart2D),
  '/ccpayment/api/paySmart3D': open(paySmart3D),
  '/ccpayment/api/payByCardToken': open(payByCardToken),
  '/ccpayment/api/payByCardTokenNonSecure': post(payByCardTokenNonSecure),
  '/ccpayment/payment/complete': post(completePayment),
  '/ccpayment/api/confirmPayment': post(confirmPayment),
  '/ccpayment/api/checkstatus': post(checkStatus),
  '/ccpayment/api/refund': post(refund),
  '/ccpayment/api/saveCard': post(saveCard),
  '/ccpayment/api/getCardTokens': { methods: ['GET', 'POST'], handler: getCardTokens },
  '/ccpayment/api/editCard': post(editCard),
  '/ccpayment/api/deleteCard': post(deleteCard),
  '/ccpayment/api/recurringPlan/query': post(queryPlan),
  '/ccpayment/api/recurring/plan/process': post(processPlan),
  '/ccpayment/api/recurringPlan/update': post(updatePlan),
  '/ccpayment/api/cashout/tobank': post(cashoutToBank),
  '/ccpayment/purchase/link': post(purchaseLink),
  '/ccpayment/purchase/status': post(purchaseStatus),
  '/bank/verify': open(bankPage, 'GET', 'POST'),
  '/pay': open(buyerPage, 'GET', 'POST'),
};

function langOfCall(call: Call): 'tr' | 'en' {
  return langOf(
    /"app_lang"\s*:\s*"tr"|app_lang=tr/.test(`${call.body}&${call.query}`) ? 'tr' : 'en',
  );
}

/**
 * Answers a call: 404 for an unknown operation, 405 for another method, 401 without a token, else
 * the operation.
 */
export function cardApi(world: World, call: Call): Answer {
  const path = call.path.slice('/card'.length);
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (!route) return json(404, { status_code: 404, status_description: 'Not found' });
  if (!route.methods.includes(call.method))
    return {
      ...json(405, { status_code: 405, status_description: 'Method not allowed' }),
      headers: { allow: route.methods.join(', ') },
    };
  if (!route.open && !isCardAuthorized(world, call.headers.authorization, call.arrivedAt))
    return unauthorized(langOfCall(call));
  return route.handler(world, call);
}
