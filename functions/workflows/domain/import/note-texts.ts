import { phrasesOf } from '../../../shared/phrases.ts';

/** Things that the workspace is to provide. */
const TO_CONNECT = {
  model: {
    en: 'Its model <name> is that of the application which is chatted with. Set config.application_id to ask another one.',
    ko: '모델 <name> 대신 대화하는 애플리케이션의 모델을 씁니다. 다른 모델에게 물으려면 config.application_id를 정하세요.',
  },
  model_with_parameters: {
    en: 'Its model <name> is that of the application which is chatted with. Set config.application_id to ask another one. Parameters that a node does not have belong to that application’s model.extra_body: <parameters>.',
    ko: '모델 <name> 대신 대화하는 애플리케이션의 모델을 씁니다. 다른 모델에게 물으려면 config.application_id를 정하세요. 노드에 없는 매개변수는 그 애플리케이션의 model.extra_body에 넣으세요: <parameters>.',
  },
  tool: {
    en: 'Its tool <name> comes from <provider>. Set config.application_id to an application with a tool named <own>, by OpenAPI or MCP; its parameters are kept in config.arguments.',
    ko: '도구 <name>은(는) <provider>에서 옵니다. <own> 도구가 있는 애플리케이션(OpenAPI 또는 MCP)을 config.application_id에 정하세요. 매개변수는 config.arguments에 그대로 있습니다.',
  },
  tools: {
    en: 'Its tools <names> come from <provider>. Set config.application_id to an application that has tools of these names.',
    ko: '도구 <names>은(는) <provider>에서 옵니다. 같은 이름의 도구가 있는 애플리케이션을 config.application_id에 정하세요.',
  },
  knowledge: {
    en: 'Its knowledge is not part of the file. Name knowledge bases of the workspace in config.knowledge_base_ids.',
    ko: '지식은 파일에 들어 있지 않습니다. 워크스페이스의 지식 베이스를 config.knowledge_base_ids에 정하세요.',
  },
  agent_knowledge: {
    en: 'Its agent searches knowledge that is not part of the file. Give the application knowledge_bases and the tool knowledge.',
    ko: '에이전트가 찾는 지식은 파일에 들어 있지 않습니다. 애플리케이션에 knowledge_bases와 knowledge 도구를 정하세요.',
  },
  secret: {
    en: 'The secret <name> has no value in the file. Set it in environment_variables.',
    ko: '비밀 값 <name>이(가) 파일에 없습니다. environment_variables에서 정하세요.',
  },
  api_key: {
    en: 'Its API key is not part of the file. Set config.auth, with a secret as its value.',
    ko: 'API 키가 파일에 없습니다. config.auth에 비밀 값을 정하세요.',
  },
  package: {
    en: 'Its program uses <packages>. If GET /api/v1/languages does not list it, have the operator install it: npm run sandbox:packages',
    ko: '프로그램이 <packages>을(를) 씁니다. GET /api/v1/languages에 없으면 운영자에게 설치를 부탁하세요: npm run sandbox:packages',
  },
  trigger_off: {
    en: 'Its trigger is switched off. Publish the workflow, then switch it on: PATCH <path> with {"enabled": true}.',
    ko: '트리거가 꺼져 있습니다. 워크플로를 게시한 뒤 켜세요: PATCH <path>, 본문 {"enabled": true}.',
  },
} as const;

/** Nodes and triggers that do something else than in the file. */
const CHANGED = {
  version: {
    en: 'The file has version <version>, and versions <known>.x are known: compare the workflow with the file.',
    ko: '파일의 버전은 <version>이고 알려진 버전은 <known>.x입니다. 워크플로를 파일과 비교하세요.',
  },
  other_start: {
    en: 'It is a <type> there; its values are fields of the start here. Start its runs by POST /api/v1/workflows/{id}/run, or by a webhook of POST /api/v1/workflows/{id}/triggers.',
    ko: '파일에서는 <type>이고 여기서는 그 값이 시작 노드의 항목입니다. POST /api/v1/workflows/{id}/run으로, 또는 POST /api/v1/workflows/{id}/triggers의 웹훅으로 실행하세요.',
  },
  times_unread: {
    en: 'Its times cannot be read. Make a schedule with cron and time_zone by POST /api/v1/workflows/{id}/triggers.',
    ko: '실행 시각을 읽을 수 없습니다. POST /api/v1/workflows/{id}/triggers에서 cron과 time_zone으로 일정을 만드세요.',
  },
  trigger_failed: {
    en: 'Its trigger could not be made: <why> Make it by POST /api/v1/workflows/{id}/triggers.',
    ko: '트리거를 만들지 못했습니다: <why> POST /api/v1/workflows/{id}/triggers로 만드세요.',
  },
  too_many_triggers: {
    en: 'the workspace has <max> triggers already.',
    ko: '워크스페이스에 이미 트리거가 <max>개 있습니다.',
  },
  webhook_method: {
    en: 'Its webhook takes <method> there. Have its sender use POST.',
    ko: '파일에서 웹훅은 <method>를 받습니다. 보내는 쪽에서 POST를 쓰게 하세요.',
  },
  webhook_body: {
    en: 'Its webhook takes <type> there. Have its sender send JSON, a form or text, with addresses of files.',
    ko: '파일에서 웹훅은 <type>을 받습니다. JSON, 양식, 글로 보내고 파일은 주소로 보내게 하세요.',
  },
  webhook_answer: {
    en: 'Its webhook has an answer of its own there. The sender gets 202 with the run_id here.',
    ko: '파일에서 웹훅은 정해진 응답을 보냅니다. 여기서는 보낸 쪽이 202와 run_id를 받습니다.',
  },
  form_delivery: {
    en: 'It sends its form by <methods>. Here members answer it by its link, in the API or in the console; `notify` of the node sends it to a channel or to members.',
    ko: '파일에서는 양식을 <methods>로 보냅니다. 여기서는 구성원이 링크, API, 콘솔에서 답합니다. 노드의 `notify`로 채널이나 구성원에게 보낼 수 있습니다.',
  },
  jinja_inputs: {
    en: 'Its prompt is a Jinja2 template without variables in the file. Set inputs to the values that it names.',
    ko: '프롬프트가 변수 없는 Jinja2 템플릿입니다. 템플릿에서 쓰는 값을 inputs에 정하세요.',
  },
  no_main: {
    en: 'Its program has no function main. Correct config.code.',
    ko: '프로그램에 main 함수가 없습니다. config.code를 고치세요.',
  },
  needs_network: {
    en: 'Its program uses <packages> to reach the network, which programs of the sandbox cannot. Put an http_request in its place.',
    ko: '프로그램이 <packages>로 네트워크에 접속하지만 샌드박스에서는 할 수 없습니다. http_request 노드로 바꾸세요.',
  },
  package_missing: {
    en: 'Its program uses <packages>, which the sandbox does not come with. Rewrite config.code, or have the operator add <distributions> with exact versions to sandbox/packages/python.txt and run: npm run sandbox:packages',
    ko: '프로그램이 쓰는 <packages>은(는) 샌드박스에 없습니다. config.code를 다시 쓰거나, 운영자가 sandbox/packages/python.txt에 <distributions>을(를) 정확한 버전으로 더하고 실행하게 하세요: npm run sandbox:packages',
  },
  assigns_undeclared: {
    en: 'It assigns <variable>, which the file does not declare: that is left out.',
    ko: '파일에 선언되지 않은 <variable>에 값을 넣습니다. 이 부분은 뺐습니다.',
  },
  method: {
    en: 'Its method <method> is not supported: it is GET. Correct config.method.',
    ko: '메서드 <method>은(는) 쓸 수 없어 GET으로 했습니다. config.method를 고치세요.',
  },
  certificates: {
    en: 'The file switches the check of certificates off. It is always on here.',
    ko: '파일에서는 인증서를 확인하지 않습니다. 여기서는 항상 확인합니다.',
  },
  parameters_left_out: {
    en: 'Its parameters <names> have no counterpart in the tool <tool>, and are left out.',
    ko: '매개변수 <names>은(는) <tool> 도구에 없어 뺐습니다.',
  },
  chart_file: {
    en: 'Its chart is an SVG picture in the output files: an answer takes files, not text.',
    ko: '차트는 출력 files의 SVG 그림입니다. 답변에서는 text가 아니라 files를 쓰세요.',
  },
  field_external: {
    en: 'Its field <name> is filled by an external service there. It is a text here: send its value.',
    ko: '항목 <name>은(는) 파일에서 외부 서비스가 채웁니다. 여기서는 글 항목이므로 값을 보내세요.',
  },
  too_many_options: {
    en: 'Its field <name> has <count> options: it is a text here.',
    ko: '항목 <name>의 선택지가 <count>개라서 글 항목으로 했습니다.',
  },
  comparison: {
    en: 'Its comparison <name> has no counterpart: it compares for equality. Correct config.cases.',
    ko: '비교 <name>은(는) 쓸 수 없어 같은지 비교하게 했습니다. config.cases를 고치세요.',
  },
  member_comparison: {
    en: 'Its comparison <name> has no counterpart: it compares for equality.',
    ko: '비교 <name>은(는) 쓸 수 없어 같은지 비교하게 했습니다.',
  },
} as const;

/** Parts of the file that are put aside. */
const MISSING = {
  second_start: {
    en: 'A workflow has one start, and other nodes follow this one. Import them as another workflow.',
    ko: '워크플로의 시작은 하나인데 다른 노드들이 이 시작에서 이어집니다. 다른 워크플로로 가져오세요.',
  },
  expert_prompt: {
    en: 'Its prompt of the expert mode has no counterpart. Write it into config.messages.',
    ko: '전문가 모드의 프롬프트는 가져올 수 없습니다. config.messages에 쓰세요.',
  },
  node_type: {
    en: 'Nodes of type <type> have no counterpart. A node that returns null takes its place: replace it.',
    ko: '<type> 노드는 없습니다. null을 내보내는 노드로 대신했으니 바꾸세요.',
  },
} as const;

/** References that lead nowhere in the file. */
const EMPTIED = {
  dead_reference: {
    en: 'It refers to <path>, and <why>: the value is empty, as it is there.',
    ko: '<path>을(를) 쓰지만 <why>. 파일에서처럼 값이 비어 있습니다.',
  },
  repaired_reference: { en: '<fault> It is left empty.', ko: '<fault> 값을 비워 두었습니다.' },
  empty_body: {
    en: 'Its body has no node that runs, there as here.',
    ko: '파일에서처럼 반복 안에 실행할 노드가 없습니다.',
  },
} as const;

/** Functions around a conversation that a graph cannot hold. */
const FEATURES = {
  opening_statement: {
    en: 'Its opening statement is shown by clients: set data-greeting of the embedded chatbot to <text>.',
    ko: '첫 인사는 클라이언트가 보여 줍니다. 삽입한 챗봇의 data-greeting에 쓰세요: <text>.',
  },
  suggested_questions: {
    en: 'Its suggested questions are shown by clients: <questions>.',
    ko: '추천 질문은 클라이언트가 보여 줍니다: <questions>.',
  },
  external_data_tools: {
    en: 'Its external data tools have no counterpart. Put http_request nodes before the agent, and name their outputs in its prompt.',
    ko: '외부 데이터 도구는 없습니다. 에이전트 앞에 http_request 노드를 두고 그 출력을 프롬프트에서 쓰세요.',
  },
  suggested_questions_after_answer: {
    en: 'Suggested questions after an answer have no counterpart. Have an agent write them into the answer.',
    ko: '답변 뒤의 추천 질문은 없습니다. 에이전트가 답변에 쓰게 하세요.',
  },
  speech_to_text: {
    en: 'Speech to text has no counterpart: clients send text.',
    ko: '음성 입력은 없습니다. 클라이언트가 글로 보냅니다.',
  },
  text_to_speech: {
    en: 'Text to speech has no counterpart: answers are text.',
    ko: '음성 출력은 없습니다. 답변은 글입니다.',
  },
  sensitive_word_avoidance: {
    en: 'The check for sensitive words has no counterpart. Put a condition or a classifier before the agent, and one behind it.',
    ko: '민감한 말 검사는 없습니다. 에이전트 앞과 뒤에 조건이나 분류 노드를 두세요.',
  },
  annotation_reply: {
    en: 'Replies by annotations have no counterpart. Put the questions and answers into a knowledge base of the workspace.',
    ko: '주석으로 답하는 기능은 없습니다. 질문과 답을 워크스페이스의 지식 베이스에 넣으세요.',
  },
  more_like_this: {
    en: '"More like this" has no counterpart: a client sends its message again.',
    ko: '비슷한 답 더 받기는 없습니다. 클라이언트가 메시지를 다시 보냅니다.',
  },
} as const;

export const NOTE_TEXTS = { ...TO_CONNECT, ...CHANGED, ...MISSING, ...EMPTIED, ...FEATURES } as const;

/** The words of a note on an import. */
export const noted = phrasesOf(NOTE_TEXTS);
