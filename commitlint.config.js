/** Subjects of commits: `type(scope): imperative`, see docs/contributing/style.md. `npm run commits` checks the last ones. */
export default {
  extends: ['@commitlint/config-conventional'],
  plugins: [{ rules: { 'subject-imperative': subjectImperative } }],
  rules: {
    'subject-imperative': [2, 'always'],
    // Names of routes and platforms have capitals.
    'subject-case': [0],
    'header-max-length': [2, 'always', 120],
    'body-max-line-length': [2, 'always', 140],
    'footer-max-line-length': [0],
  },
};

/** Verbs in their base form that end as other forms do. */
const BASE_FORMS = /^(address|assess|bypass|compress|discuss|embed|exceed|express|feed|focus|need|pass|process|speed|press|seed|shed|suppress|bring|string|ping)$/;
const OTHER_FORMS = /(ed|ing|s)$/;
const NOT_VERBS = /^(the|a|an|all|no|its|their|our|some|now|and|of|in|on|for|with|when|where|what)$/;

function subjectImperative({ subject }) {
  const [word = ''] = (subject ?? '').split(/[\s:,]/);
  const isVerb = /^[a-z][a-z-]*$/.test(word) && !NOT_VERBS.test(word);
  const isImperative = isVerb && (BASE_FORMS.test(word) || !OTHER_FORMS.test(word));
  return [isImperative, `subject must start with a verb in the imperative ("add", not "added" or "the"), not "${word}"`];
}
