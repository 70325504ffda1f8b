import { direct } from '../../shared/http/execution-modes.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { startedHandler } from '../../shared/invoked-function.ts';
import { publicHttp, sockets } from '../../wiring/chat/chat.ts';
import { completePorts } from '../../wiring/chat/complete.ts';
import { socketLine } from '../../wiring/chat/sockets.ts';
import { secretBox } from '../../wiring/shared/secret-box.ts';
import { applicationIdOf } from '../completions/request.ts';
import { completeChatRoute } from '../completions/routes.ts';
import { completionSteps } from '../completions/steps.ts';
import { SocketGone, socketContext } from '../domain/sockets.ts';
import { answerMessage } from '../sockets/answer-message.ts';
import type { MessageToAnswer } from '../sockets/messages.ts';

const ports = { sockets: sockets(), secrets: secretBox() };
const { load, run } = completionSteps(completePorts());

const endpoint = pipeline(
  completeChatRoute,
  {
    ...publicHttp,
    load: (request) => load(request, applicationIdOf(request.principal, request.params.application_id)),
  },
  run,
)(direct);

const every = (ms: number, tick: () => void) => {
  const timer = setInterval(tick, ms);
  return () => clearInterval(timer);
};

export const handler = startedHandler<MessageToAnswer>(async (event, context) => {
  const { connectionId, requestId, message } = event;
  const [socket, isFirst] = await Promise.all([ports.sockets.find(connectionId), ports.sockets.beginAnswer(requestId)]);
  // An answer started once is never started again: the client would get two answers, and pay for both.
  if (socket === null || !isFirst) return;
  const token = await ports.secrets.open(socket.sealedToken, socketContext(connectionId));
  const { signal = new AbortController().signal } = context;
  const getRemainingTimeInMillis = () => context.getRemainingTimeInMillis();
  const answering = { requestId, socket, token, message, getRemainingTimeInMillis, signal };
  await answerMessage(answering, { line: socketLine(event.endpoint), endpoint, every }).catch((error: unknown) => {
    if (!(error instanceof SocketGone)) throw error;
  });
});
