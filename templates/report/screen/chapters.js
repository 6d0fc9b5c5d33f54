// The contents beside the page: open where there is room, at the foot of the window where there is none.
{
  const contents = document.querySelector("#contents");
  const chapters = list => {
    const main = document.querySelector("main");
    main.id ||= "report";
    main.tabIndex = -1;
    const now = made("span", {class: "now"});
    const box = made("details", {}, made("summary", {}, made("b", {}, contents.textContent), now), list);
    const top = made("a", {class: "top", href: "#top"}, words.top);
    main.before(
      made("a", {class: "skip", href: `#${main.id}`}, words.skip),
      made("nav", {class: "chapters", "aria-label": contents.textContent}, box, top),
    );
    return {box, now};
  };

  // Where there is room the list stays open; elsewhere it closes behind who has chosen.
  const fold = box => {
    const room = matchMedia("(min-width: 1240px)");
    const set = () => { box.open = room.matches; };
    room.addEventListener("change", set);
    set();
    box.addEventListener("click", event => { if (event.target.closest("a")) set(); });
    box.addEventListener("keydown", event => {
      if (event.key !== "Escape" || room.matches) return;
      set();
      box.querySelector("summary").focus();
    });
  };

  // The chapter that the line a fifth below the window's top runs through.
  const follow = ({box, now}) => {
    const links = new Map([...box.querySelectorAll("a")].map(link => [link.hash.slice(1), link]));
    const mark = section => {
      const link = links.get(section.querySelector("h1")?.id);
      for (const one of links.values()) one.ariaCurrent = one === link ? "location" : null;
      now.textContent = link?.lastChild.textContent ?? "";
      link?.scrollIntoView({block: "nearest"});
    };
    const seen = new IntersectionObserver(
      changes => changes.filter(one => one.isIntersecting).forEach(one => mark(one.target)),
      {rootMargin: "-20% 0px -79% 0px"},
    );
    document.querySelectorAll("main > section").forEach(section => seen.observe(section));
  };

  if (contents) {
    const parts = chapters(contents.closest("section").querySelector("ol").cloneNode(true));
    fold(parts.box);
    follow(parts);
  }
}
