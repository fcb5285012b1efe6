// A page that nobody looks at gives its connection back: browsers allow six a host.

const HIDDEN = 60_000; // ms

/** Have *leave* done when the page has been hidden for a minute, and *back* when it is seen again; answers how to end that. */
export function whenUnseen(leave, back) {
  let timer = null;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(leave, HIDDEN);
    else back();
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
