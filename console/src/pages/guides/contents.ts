import type { Texts } from '../../../../functions/shared/phrases.ts';

interface Chapter {
  readonly title: Texts;
  readonly guides: readonly { readonly page: string; readonly title: Texts }[];
}

const guide = (page: string, en: string, ko: string) => ({ page: `${page}.md`, title: { en, ko } });

/** The guides that people use the service with, in the order of the side navigation. */
export const CONTENTS: readonly Chapter[] = [
  {
    title: { en: 'Start', ko: '시작' },
    guides: [
      guide('README', 'All guides', '모든 안내'),
      guide('quickstart', 'Quickstart', '빠른 시작'),
      guide('console', 'Console', '콘솔'),
      guide('authentication', 'Authentication', '인증'),
      guide('errors', 'Errors', '오류'),
      guide('limits', 'Limits', '한도'),
      guide('roles', 'Roles', '역할'),
    ],
  },
  {
    title: { en: 'Services', ko: '서비스' },
    guides: [
      guide('extraction', 'Extraction', '판독'),
      guide('chat', 'Chat', '채팅'),
      guide('chat-models', 'Models of a chat', '채팅 모델'),
      guide('chatbots', 'Public chatbots', '공개 챗봇'),
      guide('knowledge', 'Knowledge', '지식'),
      guide('workflows', 'Workflows', '워크플로'),
      guide('channels/README', 'Channels', '채널'),
      guide('sandbox', 'Sandbox', '샌드박스'),
      guide('mcp', 'MCP', 'MCP'),
      guide('budgets', 'Budgets', '예산'),
    ],
  },
  {
    title: { en: 'Operation', ko: '운영' },
    guides: [
      guide('configuration', 'Configuration', '설정'),
      guide('on-premises', 'On premises', '자체 설치'),
      guide('deploy', 'Deployment', '배포'),
      guide('operate', 'Operation', '운영'),
      guide('drug-master', 'Drug list', '약가 목록'),
      guide('personal-data', 'Personal data', '개인정보'),
      guide('payments', 'Payments', '결제'),
      guide('prices', 'Prices', '요금'),
    ],
  },
];
