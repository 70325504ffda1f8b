export const STYLE = `
:host { all: initial; --accent: #2457d6; --text: #1b1f27; --back: #fff; --soft: #eef1f6; --line: #d8dde6;
  color-scheme: light; font: 15px/1.5 system-ui, -apple-system, "Apple SD Gothic Neo", "Malgun Gothic", sans-serif; }
@media (prefers-color-scheme: dark) {
  :host { --text: #e9ecf2; --back: #1c2028; --soft: #2a303b; --line: #3b4351; color-scheme: dark; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 0; background: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.launcher { position: fixed; right: 20px; bottom: 20px; z-index: 2147483000; width: 56px; height: 56px; border-radius: 50%;
  background: var(--accent); color: #fff; box-shadow: 0 4px 16px #0004; display: grid; place-items: center; }
.launcher svg { width: 28px; height: 28px; fill: currentColor; }
.panel { position: fixed; right: 20px; bottom: 88px; z-index: 2147483000; width: min(380px, calc(100vw - 40px));
  height: min(560px, calc(100dvh - 108px)); display: flex; flex-direction: column; overflow: hidden; color: var(--text);
  background: var(--back); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 10px 40px #0003; }
header { display: flex; align-items: center; gap: 8px; padding: 10px 14px; background: var(--accent); color: #fff; }
header h2 { flex: 1; margin: 0; font-size: 16px; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
header button { padding: 4px 8px; border-radius: 8px; color: #fff; }
header button:hover { background: #fff3; }
header :focus-visible { outline-color: #fff; }
.log { flex: 1; overflow-y: auto; padding: 14px; display: flex; flex-direction: column; gap: 10px; overscroll-behavior: contain; }
.message { max-width: 86%; padding: 8px 12px; border-radius: 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
.assistant { align-self: flex-start; background: var(--soft); }
.user { align-self: flex-end; background: var(--accent); color: #fff; }
.problem { align-self: flex-start; border: 1px solid #c62828; }
.thinking { opacity: .7; }
form { display: flex; gap: 8px; padding: 10px; border-top: 1px solid var(--line); align-items: flex-end; }
textarea { flex: 1; min-height: 40px; max-height: 120px; resize: none; padding: 8px 10px; border-radius: 10px;
  border: 1px solid var(--line); background: var(--back); }
form button { min-height: 40px; padding: 0 14px; border-radius: 10px; background: var(--accent); color: #fff; }
@media (max-width: 480px) { .panel { right: 0; bottom: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; } }
`;
