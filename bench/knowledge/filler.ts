/** Words of everyday Korean, for passages that are only there to be many. */
const NOUNS =
  '하늘 바다 마을 시장 학교 가게 골목 우산 연필 창문 의자 책상 거울 시계 달력 지도 기차 버스 자전거 다리 공원 나무 꽃밭 고양이 강아지 참새 호수 언덕 구름 바람 눈사람 모래 조개 파도 등대 배추 감자 고구마 사과 포도 수박 된장 간장 김치 국수 만두 떡볶이 비빔밥 찌개 접시 숟가락 냄비 주전자 난로 이불 베개 양말 모자 장갑 목도리 구두 운동화 가방 지갑 열쇠 편지 우표 신문 잡지 소설 노래 기타 피아노 북소리 그림 물감 종이 가위 풀잎 이슬 안개 무지개 별빛 달빛 햇살 그늘 숲길 오솔길 폭포 계곡 바위 동굴 다람쥐 토끼 여우 사슴 올빼미 나비 잠자리 메뚜기 개미 벌집 거미줄 항구 어부 농부 목수 화가 시인 가수 배우 기자 교사 학생 이웃 친구 할머니 할아버지 삼촌 조카 손님 주인 나그네 왕자 공주 장군 병사 성벽 궁궐 사찰 석탑 연못 정자 축제 잔치 놀이터 운동장 극장 박물관 미술관 동물원 식물원 천문대 우체국 소방서 경찰서 시청 법원 은행나무 단풍 벚꽃 개나리 진달래 국화 난초 대나무 소나무 참나무'.split(
    ' ',
  );
const VERBS =
  '보았다 만났다 지나갔다 기다렸다 노래했다 웃었다 걸었다 달렸다 쉬었다 앉았다 일어났다 떠났다 돌아왔다 물었다 대답했다 그렸다 적었다 읽었다 들었다 말했다 건넜다 올랐다 내려왔다 심었다 키웠다 거두었다 나누었다 모았다 찾았다 숨겼다 열었다 닫았다 켰다 껐다 씻었다 닦았다 꾸몄다 고쳤다 지었다 세웠다'.split(
    ' ',
  );
const PLACES = ['에서', '까지', '보다 먼저', '옆에서', '앞에서', '뒤로', '사이로', '너머로'];
const PARAGRAPH_LENGTH = 520;

/** Paragraphs, each about as long as a passage, the same in every run. */
export function fillerParagraphs(count: number): string[] {
  const next = numbers(20_261_122);
  const pick = (words: readonly string[]) => words[next() % words.length]!;
  return Array.from({ length: count }, () => {
    let paragraph = '';
    while (paragraph.length < PARAGRAPH_LENGTH)
      paragraph += `${pick(NOUNS)} ${pick(NOUNS)}${pick(PLACES)} ${pick(NOUNS)} ${pick(NOUNS)}, 그리고 ${pick(NOUNS)} ${next() % 1000}번을 ${pick(VERBS)}. `;
    return paragraph.trim();
  });
}

/** Whole numbers of a linear congruential generator; the low bits, which repeat soon, are left out. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
