import { phrasesOf } from '../../../shared/phrases.ts';

/** Faults of fields: what follows the name of the field. */
const FIELD_FAULTS = {
  not_an_object: { en: 'must be an object.', ko: '객체여야 합니다.' },
  unknown_member: {
    en: 'is not a member of it. It may have <known>. Remove it, or correct its name.',
    ko: '없는 항목입니다. 쓸 수 있는 항목: <known>. 지우거나 이름을 고치세요.',
  },
  missing: { en: 'is missing. Set it to <wanted>.', ko: '값이 없습니다. 필요한 값: <wanted>.' },
  text_length: { en: 'must be a text of at most <max> characters.', ko: '<max>자 이하의 글이어야 합니다.' },
  literal_length: { en: 'must be a text of 1 to <max> characters.', ko: '1~<max>자의 글이어야 합니다.' },
  wrong_value: { en: 'must be <wanted>.', ko: '맞지 않는 값입니다. 필요한 값: <wanted>.' },
  list_length: {
    en: 'must be a list of <min> to <max> entries.',
    ko: '<min>~<max>개의 목록이어야 합니다.',
  },
  too_many_members: {
    en: 'must be an object of at most <max> members.',
    ko: '항목이 <max>개 이하인 객체여야 합니다.',
  },
  wrong_member_name: {
    en: 'has a name that must be 1 to 64 letters, digits, _ and -, no digit first.',
    ko: '이름은 글자, 숫자, _, -로 1~64자여야 하고 숫자로 시작할 수 없습니다.',
  },
} as const;

/** Faults of one node's settings: what follows the names of the node and of the field. */
const NODE_FAULTS = {
  error_handling_unused: {
    en: 'does not apply to a node of type <type>, which cannot fail. Remove it.',
    ko: '실패하지 않는 <type> 노드에는 쓰지 않습니다. 지우세요.',
  },
  default_output_missing: {
    en: 'is missing. Set what the node gives out when it fails, or another on_error.',
    ko: '값이 없습니다. 노드가 실패할 때 내보낼 값을 정하거나 on_error를 바꾸세요.',
  },
  not_repeatable: {
    en: 'does not apply to a node of type <type>. Remove it.',
    ko: '<type> 노드에는 쓰지 않습니다. 지우세요.',
  },
  handle_twice: {
    en: 'leads to <handle> twice. Give each case a unique id.',
    ko: '출구 <handle>이(가) 두 개입니다. 경우마다 다른 id를 쓰세요.',
  },
  prompt_missing: {
    en: 'is missing. Set it to the text that the model is asked, or set config.messages.',
    ko: '값이 없습니다. 모델에게 물을 글을 쓰거나 config.messages를 정하세요.',
  },
  class_unknown: {
    en: 'is the id of no class. Set it to one of config.classes, or remove it.',
    ko: '없는 분류입니다. config.classes의 id를 쓰거나 지우세요.',
  },
  schema_faulty: { en: 'is not a JSON schema: <fault>. Correct it.', ko: 'JSON 스키마가 아닙니다: <fault>. 고치세요.' },
  wait_too_long: {
    en: 'is longer than a run can wait, which is 7 days. Shorten it.',
    ko: '실행이 기다릴 수 있는 7일보다 깁니다. 줄이세요.',
  },
  two_timeouts: {
    en: 'is set, and timeout is, too. Remove one of them.',
    ko: 'timeout도 정해져 있습니다. 둘 중 하나를 지우세요.',
  },
  notify_half: {
    en: 'must have channel_id and to together. Set the missing one, or remove the other.',
    ko: 'channel_id와 to는 함께 정해야 합니다. 빠진 쪽을 쓰거나 다른 쪽을 지우세요.',
  },
  notify_empty: {
    en: 'names no one. Set channel_id and to, or emails, or remove it.',
    ko: '받을 곳이 없습니다. channel_id와 to, 또는 emails를 정하거나 지우세요.',
  },
  channel_unknown: {
    en: 'is the id of no channel of the workspace: <channel>. Correct it.',
    ko: '워크스페이스에 없는 채널입니다: <channel>. 고치세요.',
  },
  no_member: {
    en: 'is not an address of a member of the workspace: <address>. Invite the person, or use a channel.',
    ko: '워크스페이스 구성원의 주소가 아닙니다: <address>. 초대하거나 채널을 쓰세요.',
  },
  form_empty: {
    en: 'are missing, and so are actions. Set one of them, or both.',
    ko: '항목도 동작도 없습니다. 하나 이상 정하세요.',
  },
  form_field_taken: {
    en: 'have <name>, which is another output. Rename it.',
    ko: '<name>은(는) 다른 출력의 이름입니다. 이름을 바꾸세요.',
  },
  action_taken: {
    en: 'have the id <action>, which is another handle. Rename it.',
    ko: '<action>은(는) 다른 출구의 이름입니다. 이름을 바꾸세요.',
  },
  right_unused: {
    en: 'does not apply to the operator <operator>. Remove it.',
    ko: '연산자 <operator>에는 쓰지 않습니다. 지우세요.',
  },
  right_missing: {
    en: 'is missing. Set what <operator> compares with.',
    ko: '값이 없습니다. <operator> 연산자가 비교할 값을 정하세요.',
  },
  calls_itself: {
    en: 'is this workflow itself. Loop inside the workflow, or name another one.',
    ko: '이 워크플로 자신입니다. 워크플로 안에서 반복하거나 다른 워크플로를 고르세요.',
  },
  template_faulty: {
    en: 'is no <syntax> template: <fault>. Correct it.',
    ko: '<syntax> 템플릿이 아닙니다: <fault>. 고치세요.',
  },
  template_blind: {
    en: 'uses members of <name>, and a template sees the inputs of its node alone: they are empty. Set inputs to <example>, and use value.',
    ko: '템플릿은 자기 노드의 inputs만 볼 수 있어 <name>의 값은 비어 있습니다. inputs를 <example>로 정하고 value를 쓰세요.',
  },
} as const;

/** Faults of edges and bodies. */
const STRUCTURE_FAULTS = {
  edge_to_nowhere: {
    en: 'Edge <edge>: there is no node <node>. Remove the edge, or correct it.',
    ko: '연결 <edge>: <node> 노드가 없습니다. 연결을 지우거나 고치세요.',
  },
  edge_twice: {
    en: 'Edge <edge> is listed twice. Remove one of them.',
    ko: '연결 <edge>이(가) 두 번 있습니다. 하나를 지우세요.',
  },
  edge_id_twice: {
    en: 'Two edges have the id <edge>. Rename one of them.',
    ko: 'id가 <edge>인 연결이 두 개입니다. 하나의 이름을 바꾸세요.',
  },
  handle_unknown: {
    en: 'has no handle <handle>, which edge <edge> starts at. Use one of <known>.',
    ko: '연결 <edge>이(가) 시작하는 출구 <handle>이(가) 없습니다. 쓸 수 있는 출구: <known>.',
  },
  edge_across_bodies: {
    en: 'is not in the same body as <source>, where edge <edge> comes from. Connect the iteration or loop itself.',
    ko: '연결 <edge>이(가) 시작하는 <source> 노드와 같은 반복 안에 있지 않습니다. 반복 노드 자체를 연결하세요.',
  },
  edge_to_start: {
    en: 'is a start, and edge <edge> leads to it. Remove the edge.',
    ko: '시작 노드로 가는 연결 <edge>이(가) 있습니다. 연결을 지우세요.',
  },
  start_missing: { en: 'The graph has no node of type start. Add one.', ko: '시작 노드가 없습니다. 추가하세요.' },
  start_twice: {
    en: 'is a second start in addition to <first>. Leave one of them.',
    ko: '시작 노드가 <first> 외에 또 있습니다. 하나만 남기세요.',
  },
  parent_unknown: {
    en: 'is <parent>, which is not an iteration or loop of the graph. Correct it.',
    ko: '<parent>은(는) 이 워크플로의 반복 노드가 아닙니다. 고치세요.',
  },
  start_in_body: { en: 'is set for a start. Remove it.', ko: '시작 노드에는 쓰지 않습니다. 지우세요.' },
  too_deep: {
    en: 'nests bodies too deep. Leave at most <max> within each other.',
    ko: '반복이 너무 깊이 겹칩니다. <max>겹까지 쓸 수 있습니다.',
  },
  break_outside: {
    en: 'must be that of a loop: a break ends the loop that it is in. Correct it.',
    ko: '반복을 끝내는 노드는 반복 안에 있어야 합니다. 고치세요.',
  },
  assigns_unknown: {
    en: 'assigns <variable>, which is neither a conversation variable of the graph nor a variable of a loop around the node. Declare it, or correct the name.',
    ko: '<variable>은(는) 대화 변수도, 이 노드를 둘러싼 반복의 변수도 아닙니다. 선언하거나 이름을 고치세요.',
  },
  body_empty: {
    en: 'has an empty body. Add nodes whose parent_id is <node>.',
    ko: '반복 안이 비었습니다. parent_id가 <node>인 노드를 추가하세요.',
  },
  cycle: {
    en: 'is on a cycle: <path>. Remove one of its edges; to repeat nodes, put them into a loop.',
    ko: '연결이 돌고 돕니다: <path>. 연결 하나를 지우고, 반복하려면 반복 노드 안에 넣으세요.',
  },
  unreached: {
    en: 'cannot be reached from the start. Lead an edge to it, or remove it.',
    ko: '시작에서 이 노드로 가는 길이 없습니다. 연결하거나 지우세요.',
  },
  unreached_in_body: {
    en: 'cannot be reached within the body of <owner>. Lead an edge to it, or remove it.',
    ko: '<owner> 안에서 이 노드로 가는 길이 없습니다. 연결하거나 지우세요.',
  },
} as const;

/** Faults of sizes, ids and variables. */
const SHAPE_FAULTS = {
  no_nodes: { en: 'The graph has no nodes. Add a start node.', ko: '노드가 없습니다. 시작 노드를 추가하세요.' },
  too_many_nodes: {
    en: 'The graph has <count> nodes. Leave at most <max>.',
    ko: '노드가 <count>개입니다. <max>개까지 쓸 수 있습니다.',
  },
  too_many_edges: {
    en: 'The graph has <count> edges. Leave at most <max>.',
    ko: '연결이 <count>개입니다. <max>개까지 쓸 수 있습니다.',
  },
  too_many_alternatives: {
    en: 'The graph has <count> references with alternatives, like {{a.text | b.text}}. Leave at most <max>.',
    ko: '{{a.text | b.text}}처럼 대안이 있는 참조가 <count>개입니다. <max>개까지 쓸 수 있습니다.',
  },
  wrong_id: {
    en: 'must be 1 to 64 letters, digits, _ and -, no digit first, and none of <reserved>. Rename it.',
    ko: '영문자, 숫자, _, -로 1~64자여야 하고 숫자로 시작할 수 없으며 <reserved>은(는) 쓸 수 없습니다. 이름을 바꾸세요.',
  },
  id_twice: { en: 'is used twice. Rename one of them.', ko: '같은 id가 두 개입니다. 하나를 바꾸세요.' },
  type_unknown: {
    en: 'is <type>, which is unknown. Use one of <known>.',
    ko: '알 수 없는 종류 <type>입니다. 쓸 수 있는 종류: <known>.',
  },
  default_type: {
    en: 'Conversation variable <name>: default must be a <type>.',
    ko: '대화 변수 <name>: 처음 값의 종류는 <type>이어야 합니다.',
  },
  secret_empty: {
    en: 'Secret <name> has no value. Set environment_variables.<name>.value before it is used.',
    ko: '비밀 값 <name>이(가) 비었습니다. 쓰기 전에 environment_variables.<name>.value를 정하세요.',
  },
  too_many_variables: {
    en: '<field> has <count> entries. Keep at most <max>.',
    ko: '<field>: <count>개입니다. <max>개까지 쓸 수 있습니다.',
  },
  variable_name: {
    en: '<field>: <name> must be 1 to 64 letters, digits, _ and -. Rename it.',
    ko: '<field>: <name>의 이름은 글자, 숫자, _, -로 1~64자여야 합니다. 바꾸세요.',
  },
  variable_twice: {
    en: '<field>: <name> is declared twice. Remove one of them.',
    ko: '<field>: <name>이(가) 두 번 선언되었습니다. 하나를 지우세요.',
  },
  variable_type: {
    en: '<field>: type of <name> must be one of <known>.',
    ko: '<field>: <name>의 종류는 다음 중 하나여야 합니다: <known>.',
  },
} as const;

/** Faults of references. */
const REFERENCE_FAULTS = {
  reference_type: {
    en: 'must be a <wanted>, and <reference> is a <given>. Refer to a <wanted>, or convert it in a code node.',
    ko: '<wanted> 값이 필요한데 <reference>은(는) <given>입니다. <wanted> 값을 쓰거나 코드 노드로 바꾸세요.',
  },
  reference_later: {
    en: 'refers to <reference>, and <node> does not come before it. Lead the way from <node> to it, or refer to a node before it.',
    ko: '<reference>을(를) 쓰지만 <node> 노드가 앞에 있지 않습니다. <node> 노드에서 여기로 연결하거나 앞에 있는 노드의 값을 쓰세요.',
  },
  reference_only_on_error: {
    en: 'refers to <reference>, which is there only behind the handle "error" of <nodes>; elsewhere it is empty. Use it there.',
    ko: '<reference>은(는) <nodes>의 오류 출구 뒤에서만 값이 있고 다른 곳에서는 비어 있습니다. 그 뒤에서 쓰세요.',
  },
  reference_skipped: {
    en: 'refers to <reference>, but there is a way to it on which <nodes> is skipped or fails: the value is empty then. Name another one for that way, as in <example>, or lead all ways through it.',
    ko: '<reference>을(를) 쓰지만 <nodes> 노드를 건너뛰거나 실패하는 길이 있어 그때는 값이 비어 있습니다. <example>처럼 그 길에서 쓸 값을 더하거나 모든 길이 지나게 하세요.',
  },
  references_skipped: {
    en: 'refers to <reference>, but there is a way to it on which <nodes> are skipped or fail: the value is empty then. Name another one for that way, as in <example>, or lead all ways through it.',
    ko: '<reference>을(를) 쓰지만 <nodes> 노드를 모두 건너뛰거나 실패하는 길이 있어 그때는 값이 비어 있습니다. <example>처럼 그 길에서 쓸 값을 더하거나 모든 길이 지나게 하세요.',
  },
  reference_no_system_value: {
    en: 'refers to <reference>; <owner> has <known>. Correct the name.',
    ko: '<reference>은(는) 없는 값입니다. <owner>의 값: <known>. 이름을 고치세요.',
  },
  reference_no_variable: {
    en: 'refers to <reference>; <owner> has <known>. Correct the name, or declare it in <list>.',
    ko: '<reference>은(는) 없는 값입니다. <owner>의 값: <known>. 이름을 고치거나 <list>에 선언하세요.',
  },
  reference_no_node: {
    en: 'refers to <reference>, and there is no node <node>. Correct the id.',
    ko: '<reference>을(를) 쓰지만 <node> 노드가 없습니다. id를 고치세요.',
  },
  reference_inside_body: {
    en: 'refers to <reference>, which is in the body of <owner>. Refer to what that node gives out.',
    ko: '<reference>은(는) <owner> 반복 안의 값입니다. 그 노드가 내보내는 값을 쓰세요.',
  },
  reference_no_output: {
    en: 'refers to <reference>, and <node> gives out <known>. Correct the name.',
    ko: '<reference>은(는) 없는 값입니다. <node> 노드가 내보내는 값: <known>. 이름을 고치세요.',
  },
} as const;

/** Faults that keep no graph from being run. */
const WARNINGS = {
  no_answer: {
    en: 'The graph has no answer: its runs give out nothing. Add a node of type answer.',
    ko: '답변 노드가 없어 실행해도 결과가 나오지 않습니다. 답변 노드를 추가하세요.',
  },
  no_model: {
    en: 'is missing: the model is that of the application which is chatted with. In other runs, or where that has no language model, the node fails with no_model.',
    ko: '정하지 않았습니다. 대화하는 애플리케이션의 모델을 씁니다. 다른 실행이거나 그 애플리케이션에 언어 모델이 없으면 노드가 실패합니다(no_model).',
  },
  query_unencoded: {
    en: 'has references in its query, whose texts are not encoded. Move them to config.params.',
    ko: '주소의 물음표 뒤에 쓴 값은 인코딩되지 않습니다. config.params로 옮기세요.',
  },
  body_unencoded: {
    en: 'writes JSON around references, whose texts are not encoded. Make it an object.',
    ko: 'JSON 글 안에 쓴 값은 인코딩되지 않습니다. 객체로 쓰세요.',
  },
  tool_to_connect: {
    en: 'is to be connected: it comes from <origin>. Set config.application_id to an application with a tool named <tool>, and remove config.imported_from.',
    ko: '<origin>에서 온 도구라 연결이 필요합니다. <tool> 도구가 있는 애플리케이션을 config.application_id에 정하고 config.imported_from을 지우세요.',
  },
  tools_to_connect: {
    en: 'are to be connected: they come from <origin>. Set config.application_id to an application with tools of these names, and remove config.imported_from.',
    ko: '<origin>에서 온 도구라 연결이 필요합니다. 같은 이름의 도구가 있는 애플리케이션을 config.application_id에 정하고 config.imported_from을 지우세요.',
  },
  no_knowledge: {
    en: 'is empty: the node fails when it runs. Name a knowledge base of the workspace.',
    ko: '비어 있어 실행하면 노드가 실패합니다. 워크스페이스의 지식 베이스를 고르세요.',
  },
} as const;

export const ISSUE_TEXTS = {
  ...FIELD_FAULTS,
  ...NODE_FAULTS,
  ...STRUCTURE_FAULTS,
  ...SHAPE_FAULTS,
  ...REFERENCE_FAULTS,
  ...WARNINGS,
} as const;

/** The words of a fault of a graph. */
export const said = phrasesOf(ISSUE_TEXTS);
