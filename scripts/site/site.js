// Moves links out of summaries, which must not contain links. The link follows its summary, which is named after it.
const move = () => {
  for (const link of document.querySelectorAll("details.tsd-accordion > summary > a")) {
    const summary = link.parentElement;
    summary.setAttribute("aria-label", `Contents of ${link.textContent}`);
    link.classList.add("beside");
    summary.after(link);
  }
};
new MutationObserver(move).observe(document.documentElement, { childList: true, subtree: true });
move();
