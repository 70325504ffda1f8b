/** Texts of the chatbot itself. */

export interface Texts {
  readonly title: string;
  readonly open: string;
  readonly close: string;
  readonly restart: string;
  readonly placeholder: string;
  readonly send: string;
  readonly stop: string;
  readonly greeting: string;
  readonly thinking: string;
  readonly stopped: string;
  readonly busy: string;
  readonly usedUp: string;
  readonly refused: string;
  readonly tooLong: string;
  readonly failed: string;
  readonly offline: string;
}

const en: Texts = {
  title: 'Chat',
  open: 'Open the chat',
  close: 'Close the chat',
  restart: 'New conversation',
  placeholder: 'Your message',
  send: 'Send',
  stop: 'Stop',
  greeting: 'Hello! How can I help you?',
  thinking: 'Writing…',
  stopped: '(stopped)',
  busy: 'Too many messages at once. Try again in a moment.',
  usedUp: 'The chatbot has answered as much as it may today. Come back tomorrow.',
  refused: 'The chatbot is not available on this page.',
  tooLong: 'The message is too long. Send a shorter one, or start a new conversation.',
  failed: 'Something went wrong. Try again.',
  offline: 'The chatbot cannot be reached. Check your connection.',
};

const ko: Texts = {
  title: '채팅 상담',
  open: '채팅 열기',
  close: '채팅 닫기',
  restart: '새 대화',
  placeholder: '메시지를 입력하세요',
  send: '보내기',
  stop: '중지',
  greeting: '안녕하세요! 무엇을 도와드릴까요?',
  thinking: '답변 작성 중…',
  stopped: '(중지됨)',
  busy: '메시지가 너무 많습니다. 잠시 후 다시 시도해 주세요.',
  usedUp: '오늘 답변할 수 있는 한도를 모두 사용했습니다. 내일 다시 찾아 주세요.',
  refused: '이 페이지에서는 채팅을 이용할 수 없습니다.',
  tooLong: '메시지가 너무 깁니다. 짧게 줄이거나 새 대화를 시작해 주세요.',
  failed: '문제가 발생했습니다. 다시 시도해 주세요.',
  offline: '서버에 연결할 수 없습니다. 인터넷 연결을 확인해 주세요.',
};

/** @param languages in the order of preference, such as `ko-KR`. */
export function textsFor(languages: readonly string[]): { readonly language: 'ko' | 'en'; readonly texts: Texts } {
  const known = languages.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => tag === 'ko' || tag === 'en');
  return known === 'ko' ? { language: 'ko', texts: ko } : { language: 'en', texts: en };
}
