/** Three legs under one light. */
export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-[#1f57d6]" />
      <path d="M16 11v13M16 12 8.5 24M16 12l7.5 12" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" fill="none" />
      <circle cx="16" cy="8.6" r="3.6" fill="#7fe3a1" />
    </svg>
  );
}
