#include <fmt/format.h>

#include "aplomb/demonstrator/person.hpp"
#include "demo/story.hpp"

namespace aplomb {
namespace {

ReportChapter demonstration(const DemoStory& story) {
  const Person who;
  ReportChapter chapter{
      .title = "A person stands up",
      .text = fmt::format(
          "A synthetic person of {:.2f} m and {:.0f} kg rises from a chair in two styles: naturally, and as elderly "
          "people do, who lean far forward first and extend the trunk last. Only the data of a motion laboratory are "
          "kept: markers with a millimetre of noise and two force plates, in natural.c3d and elderly.c3d beside this "
          "page. All further steps use these files only.",
          who.height_m, who.mass_kg)};
  for (const RiseResults& rise : story.rises) {
    chapter.parts.push_back(
        part_of(rise.name, rise.person->log, rise.person->page, {"vertical_force", "com_in_the_sagittal_plane"}));
  }
  return chapter;
}

}  // namespace

std::vector<ReportChapter> chapters_of(const DemoStory& story) {
  ReportChapter last = standing_up_chapter(story.rises);
  last.text += " The replay at the top is the natural rise with the person; this one is the elderly rise.";
  return {demonstration(story), person_chapter(story.rises, {"cop_forward", "centre_of_mass"}),
          masses_chapter(story.rises.front(), story.identified), plan_chapter(story.rises), last};
}

}  // namespace aplomb
