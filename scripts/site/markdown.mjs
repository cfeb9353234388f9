// Reads parts of Markdown for the site: the title and a summary of a page.

/** The text of the first heading. */
export function titleOf(markdown) {
  return /^# +(.+)$/m.exec(markdown)?.[1].replaceAll("`", "");
}

/** The first paragraph after the title, as one line of plain text, cut to 300 characters, after a sentence if possible. */
export function summaryOf(markdown) {
  const paragraphs = markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .replace(/^# .*$/m, "")
    .split(/\n{2,}/)
    .map((text) => text.trim());
  const first = paragraphs.find((text) => /^[A-Z`[*]/.test(text) && !text.startsWith("[![")) ?? "";
  const text = first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/`|\*\*/g, "")
    .replaceAll(/\s+/g, " ");
  if (text.length <= 300) return text;
  const end = text.lastIndexOf(". ", 299);
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, text.lastIndexOf(" ", 297))} ...`;
}
