import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { topUpPorts } from '../../wiring/accounts/accounts.ts';
import { paymentHttp } from '../../wiring/accounts/payments.ts';
import { originBy } from '../audit-origin.ts';
import { SYSTEM_ORIGIN } from '../domain/audit.ts';
import { topUpByOperator } from '../domain/top-up.ts';
import { toTopUpReply } from '../responses.ts';
import { postPaymentRoute } from '../routes.ts';

const ports = topUpPorts();

const endpoint = pipeline(postPaymentRoute, paymentHttp, async ({ body, ...request }) => {
  const payment = { ...body.data, origin: originBy(SYSTEM_ORIGIN.actor, request) };
  return toTopUpReply(await topUpByOperator(payment, ports));
});

export const handler = bufferedHandler(endpoint);
