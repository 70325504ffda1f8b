/**
 * Loanwords that Korean texts write in Latin letters, in Hangul, and in Hangul against the rules. Each row has the Latin word, the spelling
 * of the National Institute of Korean Language, and other spellings in use; no Hangul spelling is in two rows.
 */
const ROWS = [
  'web 웹 / worker 워커 / message 메시지 메세지 / content 콘텐츠 컨텐츠 콘텐트 컨텐트 / service 서비스 써비스 / server 서버 써버 / client 클라이언트 / center 센터 센타',
  'data 데이터 데이타 / database 데이터베이스 데이타베이스 / software 소프트웨어 소프트웨아 / hardware 하드웨어 / application 애플리케이션 어플리케이션 / app 앱 어플',
  'dashboard 대시보드 대쉬보드 / cache 캐시 캐쉬 / directory 디렉터리 디렉토리 / folder 폴더 / plugin 플러그인 / extension 익스텐션 / library 라이브러리',
  'package 패키지 / module 모듈 / framework 프레임워크 프레임웍 / browser 브라우저 브라우져 / component 컴포넌트 컴퍼넌트 / container 컨테이너 콘테이너 / token 토큰',
  'endpoint 엔드포인트 / webhook 웹훅 웹후크 / workspace 워크스페이스 / workflow 워크플로 워크플로우 / template 템플릿 템플리트 / session 세션 / cookie 쿠키',
  'query 쿼리 퀴리 / schema 스키마 / script 스크립트 / router 라우터 / route 라우트 / routing 라우팅 / layout 레이아웃 / hook 훅 후크 / event 이벤트',
  'button 버튼 버턴 / file 파일 화일 / report 리포트 레포트 / membership 멤버십 멤버쉽 / schedule 스케줄 스케쥴 / scheduler 스케줄러 스케쥴러 / access 액세스 엑세스 억세스',
  'accessory 액세서리 악세사리 / password 패스워드 / login 로그인 / logout 로그아웃 / coupon 쿠폰 / update 업데이트 / upgrade 업그레이드 / download 다운로드',
  'upload 업로드 / render 렌더 랜더 / rendering 렌더링 랜더링 / renderer 렌더러 랜더러 / state 스테이트 / props 프롭스 / prop 프롭 / effect 이펙트',
  'context 컨텍스트 콘텍스트 / provider 프로바이더 / reducer 리듀서 / memo 메모 / memoization 메모이제이션 / callback 콜백 / transition 트랜지션 트렌지션',
  'suspense 서스펜스 / fragment 프래그먼트 프레그먼트 / portal 포털 포탈 / strict 스트릭트 / profiler 프로파일러 / profile 프로필 프로파일 / lazy 레이지 / action 액션',
  'activity 액티비티 / deferred 디퍼드 / optimistic 옵티미스틱 / store 스토어 / stream 스트림 / streaming 스트리밍 / node 노드 / tree 트리 / form 폼',
  'input 인풋 / output 아웃풋 / label 라벨 레이블 / option 옵션 / select 셀렉트 / text 텍스트 / image 이미지 / video 비디오 / audio 오디오 / player 플레이어',
  'link 링크 / page 페이지 / title 타이틀 / header 헤더 / footer 푸터 / menu 메뉴 / tab 탭 / panel 패널 / list 리스트 / table 테이블 / row 로우',
  'column 칼럼 컬럼 / field 필드 / key 키 / value 밸류 / default 디폴트 / type 타입 / class 클래스 / object 오브젝트 / array 어레이 / string 스트링',
  'number 넘버 / function 펑션 / method 메서드 메소드 / parameter 파라미터 파라메터 / argument 아규먼트 / variable 베리어블 / element 엘리먼트 엘레먼트',
  'attribute 애트리뷰트 어트리뷰트 / property 프로퍼티 / handler 핸들러 / listener 리스너 / interface 인터페이스 / instance 인스턴스 / constructor 컨스트럭터',
  'prototype 프로토타입 / promise 프로미스 / async 어싱크 / thread 스레드 쓰레드 / process 프로세스 / queue 큐 / stack 스택 / heap 힙 / memory 메모리',
  'buffer 버퍼 / batch 배치 / loop 루프 / index 인덱스 / cursor 커서 / pointer 포인터 / reference 레퍼런스 레프런스 / error 에러 / exception 익셉션',
  'debug 디버그 / debugger 디버거 / debugging 디버깅 / log 로그 / logger 로거 / logging 로깅 / test 테스트 / build 빌드 / compiler 컴파일러',
  'compile 컴파일 / bundle 번들 / bundler 번들러 / minify 미니파이 / lint 린트 / linter 린터 / parser 파서 / parse 파스 / deploy 디플로이',
  'release 릴리스 릴리즈 / version 버전 버젼 / branch 브랜치 / commit 커밋 / merge 머지 / repository 리포지터리 리포지토리 레포지토리 / pipeline 파이프라인',
  'docker 도커 / volume 볼륨 / cluster 클러스터 / pod 파드 / proxy 프록시 / gateway 게이트웨이 / domain 도메인 / host 호스트 / hosting 호스팅 / port 포트',
  'socket 소켓 / protocol 프로토콜 / request 리퀘스트 / response 리스폰스 / timeout 타임아웃 / retry 리트라이 / polling 폴링 / push 푸시 푸쉬',
  'notification 노티피케이션 / alert 알럿 얼럿 / modal 모달 / popup 팝업 / tooltip 툴팁 / toast 토스트 / slider 슬라이더 / drag 드래그 / drop 드롭 드랍',
  'dropdown 드롭다운 드랍다운 / checkbox 체크박스 / radio 라디오 / scroll 스크롤 / focus 포커스 / hover 호버 / click 클릭 / touch 터치 / swipe 스와이프',
  'keyboard 키보드 / mouse 마우스 / animation 애니메이션 / style 스타일 / stylesheet 스타일시트 / theme 테마 / color 컬러 칼라 / font 폰트 / icon 아이콘',
  'grid 그리드 / flex 플렉스 / margin 마진 / padding 패딩 / border 보더 / canvas 캔버스 / graph 그래프 / chart 차트 / map 맵 / filter 필터 / sort 소트',
  'search 서치 / tag 태그 / category 카테고리 / comment 코멘트 / review 리뷰 / rating 레이팅 / point 포인트 / order 오더 / delivery 딜리버리',
  'account 어카운트 / user 유저 / admin 어드민 / manager 매니저 매니져 / role 롤 / policy 폴리시 / permission 퍼미션 / license 라이선스 라이센스 / guide 가이드',
  'tutorial 튜토리얼 / manual 매뉴얼 메뉴얼 / sample 샘플 / example 이그잼플 / demo 데모 / feature 피처 피쳐 / beta 베타 / trial 트라이얼 / plan 플랜',
  'premium 프리미엄 / subscription 서브스크립션 / payment 페이먼트 / invoice 인보이스 / refund 리펀드 / mail 메일 / email 이메일 / chat 챗 / chatbot 챗봇 쳇봇',
  'bot 봇 / channel 채널 / group 그룹 / team 팀 / project 프로젝트 / task 태스크 테스크 / issue 이슈 / ticket 티켓 / sprint 스프린트 / backup 백업',
  'restore 리스토어 / snapshot 스냅샷 스냅숏 / export 익스포트 엑스포트 / import 임포트 / sync 싱크 / migration 마이그레이션 / transaction 트랜잭션 트렌잭션',
  'rollback 롤백 / trigger 트리거 / monitoring 모니터링 / metric 메트릭 / trace 트레이스 / agent 에이전트 / model 모델 / prompt 프롬프트 / embedding 임베딩',
  'vector 벡터 / network 네트워크 / internet 인터넷 / wifi 와이파이 / bluetooth 블루투스 / camera 카메라 / printer 프린터 / scanner 스캐너 / monitor 모니터',
  'battery 배터리 밧데리 / adapter 어댑터 아답터 / cable 케이블 / remote 리모트 / sensor 센서 / switch 스위치 / setting 세팅 셋팅 / mode 모드 / screen 스크린',
  'shot 샷 / window 윈도 윈도우 / desktop 데스크톱 데스크탑 / laptop 랩톱 랩탑 / mobile 모바일 / tablet 태블릿 타블렛 / android 안드로이드 / seminar 세미나',
  'workshop 워크숍 워크샵 / conference 콘퍼런스 컨퍼런스 / meeting 미팅 / presentation 프레젠테이션 프리젠테이션 / consulting 컨설팅 / marketing 마케팅',
  'brand 브랜드 / design 디자인 / designer 디자이너 / concept 콘셉트 컨셉 / campaign 캠페인 / promotion 프로모션 / shopping 쇼핑 / size 사이즈 / set 세트 셋트',
  'caramel 캐러멜 카라멜 / chocolate 초콜릿 초콜렛 / juice 주스 쥬스 / cafe 카페 까페 / buffet 뷔페 부페 / supermarket 슈퍼마켓 수퍼마켓 / elevator 엘리베이터 엘레베이터',
  'parking 파킹 / lobby 로비 / guest 게스트 / check-in 체크인 / structure 스트럭처 / architecture 아키텍처 아키텍쳐 / capture 캡처 캡쳐 / texture 텍스처 텍스쳐',
  'picture 픽처 픽쳐 / gesture 제스처 제스쳐 / venture 벤처 벤쳐 / portfolio 포트폴리오 / analytics 애널리틱스 / typescript 타입스크립트 / javascript 자바스크립트',
  'java 자바 / python 파이썬 / react 리액트 / hydration 하이드레이션 / hydrate 하이드레이트 / mount 마운트 / unmount 언마운트 / debounce 디바운스',
  'debouncing 디바운싱 / throttle 스로틀 쓰로틀 / throttling 스로틀링 쓰로틀링 / fetch 페치 / signal 시그널 / abort 어보트 / iterator 이터레이터',
  'generator 제너레이터 / decorator 데코레이터 / middleware 미들웨어 / dependency 디펜던시 / injection 인젝션 / factory 팩토리 팩터리 / singleton 싱글톤 싱글턴',
  'observer 옵저버 / subscribe 서브스크라이브 / publish 퍼블리시 / validation 밸리데이션 / validator 밸리데이터 / serializer 시리얼라이저 / encoder 인코더',
  'encoding 인코딩 / decoder 디코더 / decoding 디코딩 / hash 해시 해쉬 / salt 솔트 / crypto 크립토 / certificate 서티피케이트 / namespace 네임스페이스',
  'secret 시크릿 / config 컨피그 / environment 인바이런먼트 / runtime 런타임 / sandbox 샌드박스 / shell 셸 쉘 / terminal 터미널 / console 콘솔',
  'command 커맨드 / prefix 프리픽스 / suffix 서픽스 / path 패스 / wildcard 와일드카드 / pattern 패턴 / syntax 신택스 / semantic 시맨틱 / markup 마크업',
  'markdown 마크다운 / unicode 유니코드 / locale 로케일 / widget 위젯 / iframe 아이프레임 / signature 시그니처 시그니쳐',
];

export interface Loanword {
  readonly latin: string;
  readonly hangul: readonly string[];
}

export const LOANWORDS: readonly Loanword[] = ROWS.flatMap((row) => row.split(' / ')).map((row) => {
  const [latin = '', ...hangul] = row.split(' ');
  return { latin, hangul };
});
